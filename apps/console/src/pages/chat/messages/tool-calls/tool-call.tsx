import { Wrench } from 'lucide-react';
import { Suspense } from 'react';
import { useMessages } from '../../../../messages/index.ts';
import { lazyPart } from '../../../../ui/lazy-part.tsx';
import { Tag } from '../../../../ui/tag.tsx';
import type { CallStatus, ToolCall } from '../../live/reply-parts.ts';
import { Approval } from './approval.tsx';
import { Folded } from '../folded.tsx';
import { revealHidden } from './hidden-characters.ts';
import { useHasPassed } from './use-has-passed.ts';

/** Loaded with the first reply that has added an entry to the user's memory. */
const Remembered = lazyPart(() => import('./remembered.tsx'), 'Remembered', FoldedCall);

export interface ToolCallProps {
  readonly call: ToolCall;
  readonly conversationId: string;
  readonly replyId: string;
}

const TONES: Record<CallStatus, 'neutral' | 'ok' | 'warn' | 'bad' | 'accent'> = {
  awaiting: 'warn',
  running: 'accent',
  succeeded: 'ok',
  failed: 'bad',
  denied: 'neutral',
};

/** A tool call with its input and its result. A call that needs approval shows what it would do. */
export function ToolCallPart(props: ToolCallProps) {
  const { name, status } = props.call;
  if (name !== 'remember' || status !== 'succeeded') return <FoldedCall {...props} />;
  return (
    <Suspense fallback={<FoldedCall {...props} />}>
      <Remembered {...props} />
    </Suspense>
  );
}

function FoldedCall(props: ToolCallProps) {
  const { chat } = useMessages();
  const { call } = props;
  const isAwaiting = call.status === 'awaiting';
  const isOver = useHasPassed(isAwaiting ? call.expiresAt : null);
  return (
    <Folded
      key={call.status}
      isOpen={isAwaiting}
      title={
        <>
          <Wrench aria-hidden className="size-4 shrink-0" />
          <span className="min-w-0 truncate">{chat.tool(call.name)}</span>
          <Tag tone={TONES[call.status]}>{isOver ? chat.approvalOver : chat.callStatus[call.status]}</Tag>
        </>
      }
    >
      <p className="text-xs font-medium">{isAwaiting ? chat.wouldDo(call.name) : chat.toolInput}</p>
      <Data text={JSON.stringify(call.input, null, 2)} label={chat.toolInput} />
      {call.result !== null && (
        <>
          <p className="mt-2 text-xs font-medium">{chat.toolResult}</p>
          <Data text={call.result} label={chat.toolResult} />
        </>
      )}
      {isAwaiting && <Approval {...props} isOver={isOver} />}
    </Folded>
  );
}

function Data({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <pre
      className="mt-1 max-h-60 overflow-auto rounded-sm bg-code p-2 font-mono text-xs whitespace-pre-wrap"
      dir="ltr"
      tabIndex={0}
      role="group"
      aria-label={label}
    >
      {revealHidden(text)}
    </pre>
  );
}
