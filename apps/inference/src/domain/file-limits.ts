const MIB = 1024 * 1024;

/** Files of one message. */
export const MAX_IMAGES = 20;
export const MAX_ATTACHMENTS = 10;
/** Bytes of one file: every provider accepts an image, and a document fits encoded into a request. */
export const MAX_IMAGE_BYTES = 3.75 * MIB;
export const MAX_ATTACHMENT_BYTES = 10 * MIB;
/** Pixels of one side of an image. Providers refuse larger ones. */
export const MAX_IMAGE_SIDE = 8_000;
/** Characters of the name of a file. */
export const MAX_FILE_NAME = 255;
/** Bytes of the text that is extracted from one attachment. The rest of a longer text is left out. */
export const MAX_FILE_TEXT_BYTES = 256 * 1024;
