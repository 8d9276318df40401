const LONGEST_NAME = 80;

/** The title as the name of a file on every system. */
export function fileNameOf(title: string, extension = 'md'): string {
  const name = title
    .replaceAll(/[\p{Cc}\p{Cf}<>:"/\\|?*]+/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .slice(0, LONGEST_NAME)
    .replaceAll(/^[ .]+|[ .]+$/gu, '');
  return `${name || 'chat'}.${extension}`;
}
