import type { LanguageModel } from 'ai';
import type { Turn, TurnFile } from '../chat-model.ts';

export type SdkModel = Extract<LanguageModel, { specificationVersion: 'v4' }>;
export type SdkCall = Parameters<SdkModel['doStream']>[0];
export type SdkPrompt = SdkCall['prompt'];
export type SdkOptions = NonNullable<SdkCall['providerOptions']>;

/**
 * The messages in the form of the AI SDK. With a mark of the cache, the provider may keep the prompt up to the system message, and up to the
 * question, for the next call of the conversation.
 */
export function sdkPrompt(system: string, messages: readonly Turn[], cacheMark: SdkOptions | null): SdkPrompt {
  const marked = cacheMark === null ? {} : { providerOptions: cacheMark };
  const last = messages.findLastIndex(({ role }) => role === 'user');
  return [
    ...(system === '' ? [] : [{ role: 'system', content: system, ...marked } as const]),
    ...messages.map((message, index): SdkPrompt[number] => {
      const mark = index === last ? marked : {};
      if (message.role === 'assistant') return { role: 'assistant', content: [textPart(message.text)] };
      // Files come first, because the question refers to them. Providers refuse an empty text.
      const text = message.text === '' && message.files?.length ? [] : [textPart(message.text)];
      return { role: 'user', content: [...(message.files ?? []).map(filePart), ...text], ...mark };
    }),
  ];
}

const textPart = (text: string) => ({ type: 'text', text }) as const;

const filePart = ({ mediaType, name, bytes }: TurnFile) =>
  ({ type: 'file', mediaType, data: { type: 'data', data: bytes }, ...(name !== null && { filename: name }) }) as const;
