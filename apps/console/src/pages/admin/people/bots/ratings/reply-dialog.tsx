import type { BadRating, ContentPart, ReplyToUser, UsedChunk } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { audited } from '../../../../../api/query-client.ts';
import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { formatTime } from '../../../../../messages/format.ts';
import { useMessages } from '../../../../../messages/index.ts';
import { parlance } from '../../../../../session/parlance.ts';
import { Dialog } from '../../../../../ui/dialogs/dialog.tsx';
import { Facts } from '../../../../../ui/facts.tsx';
import { linkLook } from '../../../../../ui/link-look.ts';
import { Loaded } from '../../../../../ui/states.tsx';
import { Tag } from '../../../../../ui/tag.tsx';
import { OutsideLink } from '../../../../chat/markdown/outside-link.tsx';
import { PlainOnError } from '../../../../chat/messages/plain-on-error.tsx';
import { chunkText } from '../../../../chat/messages/sources/chunk-text.ts';
import { Citations } from '../../../../chat/messages/sources/citations.ts';
import { MessageParts } from '../../message-parts.tsx';
import { categoryName } from '../category-name.ts';
import { lazyPart } from '../../../../../ui/lazy-part.tsx';

const MarkdownText = lazyPart(() => import('../../../../chat/markdown/markdown-text.tsx'), 'MarkdownText');

interface Props {
  readonly rating: BadRating;
  /** The user of the conversation. */
  readonly userId: string;
  readonly onClose: () => void;
}

/** A rated reply with its question and the passages on which it is based. */
export function ReplyDialog({ rating, userId, onClose }: Props) {
  const { ratings: texts } = useAdminMessages().admin.people.bots;
  const path = { userId, conversationId: rating.conversation_id, messageId: rating.message_id };
  const reply = useQuery({
    queryKey: ['admin', 'content', 'reply', path],
    queryFn: ({ signal }) => parlance.api.get('/admin/users/{userId}/conversations/{conversationId}/replies/{messageId}', { path, signal }),
    ...audited,
    // Every read adds an entry to the audit log.
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <Dialog title={texts.replyTitle} size="wide" isOpen onClose={onClose}>
      <p className="text-xs text-muted">{texts.replyText}</p>
      <Loaded query={reply}>
        {(answer) => (
          <>
            <RatingFacts rating={rating} userId={userId} model={answer.reply.model} />
            <Exchange answer={answer} />
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

function RatingFacts({ rating, userId, model }: Omit<Props, 'onClose'> & { readonly model: string }) {
  const { chat } = useMessages();
  const { ratings: texts } = useAdminMessages().admin.people.bots;
  const { user_name, category, comment, create_time } = rating;
  return (
    <Facts
      facts={[
        [
          texts.user,
          <Link to="/admin/users/$userId" params={{ userId }} search={{ conversations: true }} className={linkLook}>
            {user_name ?? texts.nameless}
          </Link>,
        ],
        [texts.time, formatTime(create_time)],
        [texts.reason, category === null ? texts.noReason : categoryName(category, chat.feedbackReasons)],
        [texts.comment, <span className="whitespace-pre-wrap">{comment ?? texts.noComment}</span>],
        [texts.model, model],
      ]}
    />
  );
}

function Exchange({ answer: { question, reply } }: { readonly answer: ReplyToUser }) {
  const { chat } = useMessages();
  const { ratings: texts } = useAdminMessages().admin.people.bots;
  const chunks = reply.used_chunks ?? NO_CHUNKS;
  return (
    <>
      <Part title={texts.question}>
        {question === null ? <p className="text-sm text-muted">{texts.noQuestion}</p> : <MessageParts content={question.content} />}
      </Part>
      <Part title={texts.reply}>
        {reply.guardrail !== undefined && <Tag tone="warn">{chat.guardrail[reply.guardrail]}</Tag>}
        {reply.content.length === 0 && <p className="text-sm text-muted">{texts.noText}</p>}
        <Citations value={chunks}>
          {reply.content.map((part, at) => (
            <ReplyPart key={at} part={part} />
          ))}
        </Citations>
      </Part>
      <Part title={texts.passages}>
        {chunks.length === 0 ? <p className="text-sm text-muted">{texts.noPassages}</p> : <Passages chunks={chunks} />}
      </Part>
    </>
  );
}

const NO_CHUNKS: readonly UsedChunk[] = [];

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-2 border-t border-line pt-4">
      <h3 className="text-sm font-semibold">{title}</h3>
      {children}
    </section>
  );
}

function ReplyPart({ part }: { readonly part: ContentPart }) {
  if (part.content_type !== 'text') return <MessageParts content={[part]} />;
  return (
    <Suspense fallback={<p className="text-sm whitespace-pre-wrap">{part.body}</p>}>
      <PlainOnError text={part.body}>
        <MarkdownText text={part.body} />
      </PlainOnError>
    </Suspense>
  );
}

/** In the order of their numbers in the text of the reply. */
function Passages({ chunks }: { readonly chunks: readonly UsedChunk[] }) {
  const { chat } = useMessages();
  return (
    <ol className="flex list-decimal flex-col gap-3 ps-6">
      {chunks.map((chunk) => {
        const { heading, text } = chunkText(chunk);
        const { rank, source, source_name, page_number } = chunk;
        return (
          <li key={rank} className="text-sm">
            <p className="font-medium">
              {/^https?:/.test(source) ? <OutsideLink address={source}>{source_name}</OutsideLink> : source_name}
              <span className="font-normal text-muted">
                {page_number !== null && ` · ${chat.page(page_number)}`}
                {heading !== null && ` · ${heading}`}
              </span>
            </p>
            <p className="text-xs break-words whitespace-pre-wrap" dir="auto">
              {text}
            </p>
          </li>
        );
      })}
    </ol>
  );
}
