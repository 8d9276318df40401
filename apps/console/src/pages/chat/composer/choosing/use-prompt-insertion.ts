import type { Prompt } from '@parlance/client/types';
import { type RefObject, useState } from 'react';
import { flushSync } from 'react-dom';
import { queryClient } from '../../../../api/query-client.ts';
import { toastError } from '../../../../ui/toasts.tsx';
import { filledPrompt } from './filled-prompt.ts';
import { type TypedName, withInstead } from './typed-name.ts';

interface Filling {
  readonly prompt: Prompt;
  readonly typed: TypedName;
}

interface PromptInsertion {
  /** The prompt whose variables the user must fill in. */
  readonly filling: Filling | null;
  readonly choose: (promptId: string, typed: TypedName) => void;
  readonly fill: (values: Readonly<Record<string, string>>) => void;
  readonly cancel: () => void;
}

/** Puts the text of a prompt in the place of its command. `text` returns what is in the field now. */
export function usePromptInsertion(
  field: RefObject<HTMLTextAreaElement | null>,
  text: () => string,
  type: (text: string) => void,
): PromptInsertion {
  const [filling, setFilling] = useState<Filling | null>(null);
  const insert = ({ prompt, typed }: Filling, values: Readonly<Record<string, string>>) => {
    const next = withInstead(text(), typed, filledPrompt(prompt.text, values));
    // The cursor can only be set in the new text.
    flushSync(() => type(next.text));
    field.current?.focus();
    field.current?.setSelectionRange(next.cursor, next.cursor);
  };
  const choose = async (promptId: string, typed: TypedName) => {
    const before = text();
    // Loaded with the list of prompts.
    const { promptQuery } = await import('../../../prompts/prompt-queries.ts');
    const prompt = await queryClient.fetchQuery(promptQuery(promptId));
    // The user has typed on, so the place of the command is unknown.
    if (text() !== before) return;
    if (prompt.variables.length === 0) insert({ prompt, typed }, {});
    else setFilling({ prompt, typed });
  };
  return {
    filling,
    choose: (promptId, typed) => void choose(promptId, typed).catch(toastError),
    fill: (values) => {
      // An open dialog would keep the focus.
      flushSync(() => setFilling(null));
      if (filling) insert(filling, values);
    },
    cancel: () => setFilling(null),
  };
}
