// What reading with libxml2 needs.
#pragma once

#include <libxml/xmlversion.h>
// With it libxml2's headers bring ICU's, whose types Foundation has already declared, and differently.
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlmemory.h>
// Swift's Glibc module leaves this header out.
#include <malloc.h>
