export interface Attachment {
  readonly id: number;
  readonly file: File;
  readonly kind: 'image' | 'attachment';
}

const MIB = 1024 * 1024;
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** The API's limits. */
export const MOST_IMAGES = 20;
export const MOST_FILES = 10;
export const MOST_IMAGE_BYTES = 3.75 * MIB;
export const MOST_FILE_BYTES = 10 * MIB;
/** Base64 adds a third to the size. The rest of the request's 20 MiB is left for the text. */
export const MOST_BYTES = 14 * MIB;
/** The file types that the browser's file dialog offers. */
export const ACCEPTED = 'image/png,image/jpeg,image/gif,image/webp,.pdf,.txt,.md,.csv,.tsv,.xlsx,.docx,.pptx,.html,.epub,.json';

export type Refusal =
  | 'unreadable'
  | 'image_too_large'
  | 'file_too_large'
  | 'too_many_images'
  | 'too_many_files'
  | 'too_large_together'
  | 'empty';

/** Types that are never documents. The server inspects the content of all others, whatever their name. */
const UNREADABLE_TYPES = /^(?:audio|video|font)\/|^image\/(?!svg)/;
const UNREADABLE_NAMES = /\.(?:doc|xls|ppt|msg|rtf|zip|gz|tar|7z|rar|exe|dll|dmg|iso|bin)$/i;
const isUnreadable = ({ name, type }: File): boolean => (UNREADABLE_TYPES.test(type) && !isImage(type)) || UNREADABLE_NAMES.test(name);
const isImage = (type: string): boolean => (IMAGE_TYPES as readonly string[]).includes(type);

let last = 0;

/** The files that can be sent together with those chosen earlier, and the refused ones with the reason. */
export function withFiles(
  before: readonly Attachment[],
  files: readonly File[],
): { readonly attachments: readonly Attachment[]; readonly refused: readonly { readonly name: string; readonly reason: Refusal }[] } {
  const attachments = [...before];
  const refused: { name: string; reason: Refusal }[] = [];
  for (const file of files) {
    const kind = isImage(file.type) ? 'image' : 'attachment';
    const reason = refusalOf(attachments, file, kind);
    if (reason === null) attachments.push({ id: ++last, file, kind });
    else refused.push({ name: file.name, reason });
  }
  return { attachments, refused };
}

function refusalOf(attachments: readonly Attachment[], file: File, kind: Attachment['kind']): Refusal | null {
  const { size } = file;
  const ofKind = attachments.filter((each) => each.kind === kind).length;
  if (size === 0) return 'empty';
  if (isUnreadable(file)) return 'unreadable';
  if (kind === 'image' && size > MOST_IMAGE_BYTES) return 'image_too_large';
  if (kind === 'attachment' && size > MOST_FILE_BYTES) return 'file_too_large';
  if (kind === 'image' && ofKind >= MOST_IMAGES) return 'too_many_images';
  if (kind === 'attachment' && ofKind >= MOST_FILES) return 'too_many_files';
  return attachments.reduce((sum, each) => sum + each.file.size, size) > MOST_BYTES ? 'too_large_together' : null;
}
