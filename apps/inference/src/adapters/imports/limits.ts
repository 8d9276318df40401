// Node runs this source without compiling it in tests: only `node:` imports, packages, files of this folder that keep to the same, and erasable types.
const MIB = 1024 * 1024;

/** Bytes of a request: JSON, or a ZIP. Half of what one user may send at once. */
export const MAX_OWN_IMPORT_BYTES = 16 * MIB;
/** Bytes of all unpacked JSON in a request. */
export const MOST_UNPACKED_BYTES = 48 * MIB;
/** Values of all JSON in a request, which need about 100 bytes each. A message of another product has about 50. */
export const MOST_VALUES = 2_000_000;
/** Levels of objects and arrays. */
export const DEEPEST = 64;
/** Entries of an archive, most of which are images that nothing reads. */
export const MOST_ENTRIES = 20_000;
/** The highest compression ratio of an entry, from `RATIO_FROM_BYTES` on. Text reaches about 30. */
export const MOST_RATIO = 200;
export const RATIO_FROM_BYTES = 4 * MIB;
export const MOST_CONVERSATIONS = 2_000;
export const MOST_MESSAGES = 20_000;
/** Bytes of one message, the same limit as for messages written here. */
export const MOST_MESSAGE_BYTES = MIB;
/** Characters of the ID of a conversation or a message in the source. */
export const LONGEST_ID = 200;
/** Characters of the name of a model. */
export const LONGEST_MODEL = 128;

/** Bytes of text and messages of one append. A longer message is a part of its own. */
export const PART_BYTES = 256 * 1024;
export const PART_MESSAGES = 500;
/** Conversations in one batch of the thread. */
export const BATCH_CONVERSATIONS = 50;
