import type { ContentPart } from '@parlance/client/types';
import { useAdminMessages } from '../../../messages/admin-messages.ts';

/** The parts of a user's message: its text, and the names or kinds of its files. */
export function MessageParts({ content }: { readonly content: readonly ContentPart[] }) {
  return content.map((part, at) => (
    // The parts of a message never change their order.
    <p key={at} className="text-sm break-words whitespace-pre-wrap" dir="auto">
      <PartText part={part} />
    </p>
  ));
}

function PartText({ part }: { readonly part: ContentPart }) {
  const { users: texts } = useAdminMessages().admin.people;
  return (
    <>
      {textOfPart(part) ?? <span className="text-muted">{texts.otherContent(part.content_type)}</span>}
      {'status' in part && part.status === 'removed' && <span className="text-muted"> · {texts.fileRemoved}</span>}
    </>
  );
}

/** Null for images and other parts without text. */
function textOfPart(part: ContentPart): string | null {
  if (part.content_type === 'attachment') return part.file_name;
  return part.content_type === 'text' ? part.body : null;
}
