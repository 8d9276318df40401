import type { MessageBody } from '@parlance/client/types';
import type { Attachment, ImageType } from './attachments.ts';

/** The content of a message with its files in base64. */
export async function contentOf(text: string, attachments: readonly Attachment[]): Promise<MessageBody['content']> {
  const files = await Promise.all(
    attachments.map(async ({ file, kind }) => {
      const body = await base64Of(file);
      return kind === 'image'
        ? { content_type: 'image' as const, media_type: file.type as ImageType, body }
        : { content_type: 'attachment' as const, file_name: nameOf(file), body };
    }),
  );
  return [...files, ...(text === '' ? [] : [{ content_type: 'text' as const, body: text }])];
}

/** The API refuses folders, control characters and long names. */
// oxlint-disable-next-line no-control-regex
const nameOf = ({ name }: File): string => name.replaceAll(/[\\/\u0000-\u001f\u007f]/g, '_').slice(-255) || 'file';

/** Encodes with a data URL, because the browser does that outside the main thread. */
function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read.')));
    reader.readAsDataURL(file);
  });
}
