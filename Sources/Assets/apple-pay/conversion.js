/**
 * Conversions of JavaScript values to the types of Web IDL. Names and texts of the exceptions are those of Safari.
 * A converter is a function from a value to the converted value.
 * Source: Web IDL, section 3.2; WebKit's layout tests of Apple Pay.
 */
const conversion = {
  string: (value) => `${value}`,

  boolean: (value) => Boolean(value),

  /** `unsigned long`: modulo 2³², and what is not a number is 0. */
  unsignedLong: (value) => Number(value) >>> 0,

  /** `unsigned short`: modulo 2¹⁶. */
  unsignedShort: (value) => Number(value) & 0xFFFF,

  /** `Date`; an invalid one is NaN. */
  date: (value) => new Date(value),

  enumeration(...values) {
    return (value) => {
      const text = `${value}`;
      if (!values.includes(text)) throw new TypeError("Type error");
      return text;
    };
  },

  sequence(convert) {
    return (value) => {
      if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Value is not a sequence");
      if (value === null) throw new TypeError("Value is not a sequence");
      if (typeof value[Symbol.iterator] !== "function") throw new TypeError("Type error");
      return Array.from(value, (member) => convert(member));
    };
  },

  instance(type) {
    return (value) => {
      if (!(value instanceof type)) throw new TypeError("Type error");
      return value;
    };
  },

  /**
   * A dictionary. Members that are not declared are ignored.
   *
   * @param name The name that the text about a missing member gives.
   * @param members Declarations in the order of conversion: a base's members first, each dictionary's by name. Each is a name,
   *   a converter, and possibly `{required: "DOMString"}` with the type that the text names, or `{initial: value}`.
   */
  dictionary(name, members) {
    return (value) => {
      if (value !== undefined && value !== null && typeof value !== "object" && typeof value !== "function") {
        throw new TypeError("Type error");
      }
      const converted = {};
      for (const [member, convert, {required, initial} = {}] of members) {
        const given = value?.[member];
        if (given !== undefined) {
          converted[member] = convert(given);
        } else if (required) {
          throw new TypeError(`Member ${name}.${member} is required and must be an instance of ${required}`);
        } else if (initial !== undefined) {
          converted[member] = initial;
        }
      }
      return converted;
    };
  },
};

/** Throws unless a function got as many arguments as it requires. */
function requireArguments(given, count) {
  if (given.length < count) throw new TypeError("Not enough arguments");
}

/** The exception of a call at the wrong moment. Its text is the one that Safari gives for its name. */
function invalidAccess(message = "The object does not support the operation or argument.") {
  return new DOMException(message, "InvalidAccessError");
}

/** The exception of a call in the wrong state. */
function invalidState(message = "The object is in an invalid state.") {
  return new DOMException(message, "InvalidStateError");
}
