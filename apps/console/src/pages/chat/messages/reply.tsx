import { Brain } from 'lucide-react';
import { memo, Suspense, useEffect, useMemo } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { Button } from '../../../ui/button.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { Tag } from '../../../ui/tag.tsx';
import { isUnsent } from '../conversation/message-tree.ts';
import { isOver, type LiveReply } from '../live/live-reply.ts';
import { liveReplies, useLiveReply } from '../live/replies.ts';
import { partsOf, type ReplyPart, writtenText } from '../live/reply-parts.ts';
import { SourceList } from './sources/citation-mark.tsx';
import { Citations, useCited } from './sources/citations.ts';
import { Folded } from './folded.tsx';
import { ReplyActions } from './reply-actions.tsx';
import { PlainOnError } from './plain-on-error.tsx';
import type { ReplyProps } from './reply-props.ts';
import { ReplyProblem } from './reply-problem.tsx';
import { ToolCallPart } from './tool-calls/tool-call.tsx';
import { MessageFiles } from './user-message.tsx';

/** Renders Markdown. If the module cannot be loaded, for example offline, the text is shown unformatted. */
const MarkdownText = lazyPart(() => import('../markdown/markdown-text.tsx'), 'MarkdownText', PlainText);

function PlainText({ text }: { readonly text: string; readonly isGrowing?: boolean | undefined }) {
  return <p className="whitespace-pre-wrap">{text}</p>;
}

/** A reply, running or stored. */
export const Reply = memo(function Reply(props: ReplyProps) {
  const { chat } = useMessages();
  const { conversationId, turn, modelName } = props;
  const { message } = turn;
  const { message_id: replyId } = message;
  const received = useLiveReply(replyId);
  const isStored = message.status === 'completed' || message.status === 'failed';
  const isFollowed = !isStored && (received === undefined || !isOver(received));

  useEffect(() => {
    // After a reload in the middle of a reply, the reply is followed again.
    if (isFollowed) liveReplies.follow(conversationId, replyId);
  }, [conversationId, replyId, isFollowed]);

  // The stored reply replaces the live one only once it is loaded, so that nothing flickers.
  const live = isStored ? undefined : received;
  const stored = useMemo(() => partsOf(message), [message]);
  const parts = live && live.parts.length > 0 ? live.parts : stored;
  const text = writtenText(parts);
  const images = message.content.filter((part) => part.content_type === 'image');
  const chunks = message.used_chunks ?? received?.citations ?? [];
  const cited = useCited(text, chunks);
  const isWriting = !isStored && (live === undefined || live.phase === 'writing');
  return (
    <article>
      <h2 className="mb-1 flex items-center gap-2 text-xs font-medium text-muted">
        <span className="sr-only">{chat.replyBy} </span>
        {modelName}
        {message.guardrail !== undefined && <Tag tone="warn">{chat.guardrail[message.guardrail]}</Tag>}
      </h2>
      <Citations value={cited}>
        <div className="min-w-0">
          {parts.map((part, index) => (
            <Part
              key={index}
              part={part}
              isGrowing={isWriting && index === parts.length - 1}
              conversationId={conversationId}
              replyId={replyId}
            />
          ))}
          {isWriting && (parts.length === 0 || parts.at(-1)?.kind === 'tool') && <Writing />}
        </div>
        {images.length > 0 && (
          <Suspense>
            <MessageFiles isMade parts={images} folder={['conversation', conversationId, replyId, 'files']} />
          </Suspense>
        )}
        {!isWriting && <SourceList chunks={cited} />}
      </Citations>
      <ReplyEnd {...props} live={live} text={text} isStored={isStored} isWriting={isWriting} />
    </article>
  );
});

interface EndProps extends ReplyProps {
  readonly live: LiveReply | undefined;
  readonly text: string;
  readonly isStored: boolean;
  readonly isWriting: boolean;
}

/** The footer of a reply: why it ended, and its actions. */
function ReplyEnd({ live, text, isStored, isWriting, ...props }: EndProps) {
  const { chat } = useMessages();
  const { message } = props.turn;
  if (live?.phase === 'lost')
    return (
      <div role="alert" className="mt-3 flex flex-wrap items-center gap-3 rounded-md border border-warn p-3 text-xs">
        <span className="grow">{chat.connectionLost}</span>
        <Button size="small" onPress={() => liveReplies.follow(props.conversationId, message.message_id)}>
          {chat.reconnect}
        </Button>
      </div>
    );
  if (isWriting) return null;
  const { parent } = message;
  // Only the server's ID of the question can be sent.
  const onAgain = parent === null || isUnsent(parent) ? undefined : () => props.onAgain(parent);
  const error = message.error ?? live?.error ?? null;
  const stopReason = message.stop_reason ?? live?.stopReason ?? null;
  const isCut = stopReason === 'max_tokens' || stopReason === 'cancelled' || stopReason === 'max_tool_rounds';
  return (
    <>
      {error !== null && <ReplyProblem error={error} onAgain={onAgain} />}
      {error === null && stopReason !== null && stopReason in chat.stopped && (
        <p className="mt-2 flex flex-wrap items-center gap-2 text-xs text-muted">
          {chat.stopped[stopReason as keyof typeof chat.stopped]}
          {isCut && props.isLast && text !== '' && (
            <Button size="small" onPress={() => props.onContinue(message)}>
              {chat.continueReply}
            </Button>
          )}
        </p>
      )}
      {(isStored || (live !== undefined && isOver(live))) && (
        <ReplyActions {...props} onAgain={onAgain} text={text} isFailed={error !== null} />
      )}
    </>
  );
}

interface PartProps {
  readonly part: ReplyPart;
  readonly isGrowing: boolean;
  readonly conversationId: string;
  readonly replyId: string;
}

const Part = memo(function Part({ part, isGrowing, conversationId, replyId }: PartProps) {
  const { chat } = useMessages();
  if (part.kind === 'tool') return <ToolCallPart call={part} conversationId={conversationId} replyId={replyId} />;
  if (part.kind === 'reasoning')
    return (
      <Folded
        title={
          <>
            <Brain aria-hidden className="size-4 shrink-0" />
            {isGrowing ? chat.reasoningNow : chat.reasoning}
          </>
        }
      >
        <p className="text-xs whitespace-pre-wrap text-muted" dir="auto">
          {part.text}
        </p>
      </Folded>
    );
  return (
    <Suspense fallback={<PlainText text={part.text} isGrowing={isGrowing} />}>
      <PlainOnError text={part.text}>
        <MarkdownText text={part.text} isGrowing={isGrowing} />
      </PlainOnError>
    </Suspense>
  );
});

function Writing() {
  const { chat } = useMessages();
  return (
    <p className="flex items-center gap-2 py-1 text-sm text-muted">
      <span aria-hidden className="size-2 animate-pulse rounded-full bg-accent" />
      {chat.writing}
    </p>
  );
}
