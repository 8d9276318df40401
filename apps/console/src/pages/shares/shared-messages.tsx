import type { SharedMessage } from '@parlance/client/types';
import { memo, Suspense } from 'react';
import { useSharingMessages } from '../../messages/sharing-messages.ts';
import { SourceList } from '../chat/messages/sources/citation-mark.tsx';
import { Citations, useCited } from '../chat/messages/sources/citations.ts';
import { MessageFiles } from '../chat/messages/message-files.tsx';
import { PlainOnError } from '../chat/messages/plain-on-error.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';

const MarkdownText = lazyPart(() => import('../chat/markdown/markdown-text.tsx'), 'MarkdownText');

interface SharedMessagesProps {
  readonly token: string;
  readonly messages: readonly SharedMessage[];
}

/** The messages and replies of a shared chat. Messages are only ever appended, so their indexes serve as keys. */
export function SharedMessages({ token, messages }: SharedMessagesProps) {
  const texts = useSharingMessages();
  return (
    <section aria-label={texts.sharedMessages} className="flex flex-col gap-6">
      {messages.map((message, index) =>
        message.role === 'user' ? (
          <Question key={index} token={token} message={message} />
        ) : (
          <Reply key={index} message={message} token={token} />
        ),
      )}
    </section>
  );
}

interface MessageProps {
  readonly token: string;
  readonly message: SharedMessage;
}

const textOf = ({ content }: SharedMessage): string =>
  content.flatMap((part) => (part.content_type === 'text' ? [part.body] : [])).join('\n');

function Files({ token, message: { role, content } }: MessageProps) {
  const files = content.flatMap((part) => (part.content_type === 'text' ? [] : [part]));
  return <MessageFiles isMade={role !== 'user'} parts={files} folder={['shared', token, 'files']} />;
}

const Question = memo(function Question({ token, message }: MessageProps) {
  const texts = useSharingMessages();
  const text = textOf(message);
  return (
    <article className="flex flex-col items-end">
      <h2 className="sr-only">{texts.asked}</h2>
      <Files token={token} message={message} />
      {text !== '' && (
        <p className="max-w-[85%] rounded-md bg-surface px-4 py-2.5 break-words whitespace-pre-wrap" dir="auto">
          {text}
        </p>
      )}
    </article>
  );
});

const NO_CHUNKS: NonNullable<SharedMessage['used_chunks']> = [];

const Reply = memo(function Reply({ token, message }: MessageProps) {
  const texts = useSharingMessages();
  const text = textOf(message);
  const cited = useCited(text, message.used_chunks ?? NO_CHUNKS);
  return (
    <article>
      <h2 className="mb-1 text-xs font-medium text-muted">{message.model_name}</h2>
      <Citations value={cited}>
        <Suspense fallback={<p className="whitespace-pre-wrap">{text}</p>}>
          <PlainOnError text={text}>
            <MarkdownText text={text} />
          </PlainOnError>
        </Suspense>
        <SourceList chunks={cited} />
      </Citations>
      <Files token={token} message={message} />
      {message.status === 'failed' && <p className="mt-2 text-xs text-muted">{texts.failedReply}</p>}
    </article>
  );
});
