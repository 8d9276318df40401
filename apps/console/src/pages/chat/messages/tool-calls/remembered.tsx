import { useMutation, useQuery } from '@tanstack/react-query';
import { Brain } from 'lucide-react';
import { useRef } from 'react';
import { useMemoryMessages } from '../../../../messages/memory-messages.ts';
import { Button } from '../../../../ui/button.tsx';
import { toastError } from '../../../../ui/toasts.tsx';
import { memoryQuery, removeMemory } from '../../../account/memory/memory-queries.ts';
import type { ToolCallProps } from './tool-call.tsx';
import { revealHidden } from './hidden-characters.ts';

/** An entry that the model has added to the user's memory, with a button that undoes it. The entry has the ID of the call. */
export function Remembered({ call: { callId, input } }: ToolCallProps) {
  const texts = useMemoryMessages();
  const query = useQuery(memoryQuery(callId));
  const chip = useRef<HTMLDivElement>(null);
  // The button disappears, and the focus would be lost with it.
  const undo = useMutation({ mutationFn: () => removeMemory(callId), onSuccess: () => chip.current?.focus(), onError: toastError });
  const isGone = query.data === null || undo.isSuccess;
  // The user may have changed the text.
  const text = query.data?.text ?? String(input['text'] ?? '');
  return (
    <div
      ref={chip}
      tabIndex={-1}
      className="my-2 flex flex-wrap items-center gap-2 rounded-md border border-line px-3 py-1.5 text-xs"
      role="status"
    >
      <Brain aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="text-muted">{isGone ? texts.forgotten : texts.remembered}</span>
      <span className={`min-w-0 grow wrap-anywhere ${isGone ? 'text-muted line-through' : ''}`} dir="auto">
        {revealHidden(text)}
      </span>
      {!isGone && query.data !== undefined && (
        <Button size="small" isPending={undo.isPending} onPress={() => undo.mutate()}>
          {texts.undo}
        </Button>
      )}
    </div>
  );
}
