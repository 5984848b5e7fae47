#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

// SQLite's headers are GRDB's to import; Swift can't call what takes any number of arguments.
int sqlite3_config(int option, ...);

// sqlite3_config(3) with an option that takes one integer.
static inline int sqlite_config_integer(int option, int value) {
    return sqlite3_config(option, value);
}

#endif
