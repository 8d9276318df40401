import type { MessageBody } from '@parlance/client/types';
import { queryClient } from '../../../api/query-client.ts';
import { contentOf } from '../composer/attachment-content.ts';
import { type FilePart, fileQuery, type Place } from './message-files.tsx';

/** The content of an edited message. The API accepts files only as bytes, so the earlier message's files are downloaded first. */
export async function contentOfEdit(text: string, files: readonly FilePart[], place: Place): Promise<MessageBody['content']> {
  const read = await Promise.all(
    files.map(async (part, id) => {
      const bytes = await queryClient.fetchQuery(fileQuery(place, part.file_id));
      const name = part.content_type === 'attachment' ? part.file_name : '';
      return { id, kind: part.content_type, file: new File([bytes], name, { type: part.media_type }) };
    }),
  );
  return contentOf(text, read);
}
