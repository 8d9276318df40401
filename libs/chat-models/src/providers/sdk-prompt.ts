import type { LanguageModel } from 'ai';
import type { Assembled } from '../assembly/assemble.ts';
import type { Turn, TurnFile } from '../chat-model.ts';
import type { ToolDefinition } from '@parlance/tools';

export type SdkModel = Extract<LanguageModel, { specificationVersion: 'v4' }>;
export type SdkCall = Parameters<SdkModel['doStream']>[0];
export type SdkPrompt = SdkCall['prompt'];
/** The parts of a prompt that are sent. */
type Sent = Pick<Assembled, 'system' | 'stableSystem' | 'messages'>;

export type SdkOptions = NonNullable<SdkCall['providerOptions']>;

/**
 * The messages in the form of the AI SDK. With a cache mark, the provider may cache the prompt up to the end of the instruction, which is the
 * same for each question, and up to the question or the last tool results, for the next call of the conversation.
 */
export function sdkPrompt({ system, stableSystem, messages }: Sent, cacheMark: SdkOptions | null): SdkPrompt {
  const marked = cacheMark === null ? {} : { providerOptions: cacheMark };
  const last = messages.findLastIndex(({ role }) => role !== 'assistant');
  const isSplit = cacheMark !== null && stableSystem !== '' && system.startsWith(stableSystem);
  const [stable, varying] = isSplit ? [stableSystem, system.slice(stableSystem.length).trimStart()] : [system, ''];
  return [
    ...(stable === '' ? [] : [{ role: 'system', content: stable, ...(isSplit ? marked : {}) } as const]),
    ...(varying === '' ? [] : [{ role: 'system', content: varying } as const]),
    ...messages.map((message, index): SdkPrompt[number] => {
      const mark = index === last ? marked : {};
      if (message.role === 'assistant') return { role: 'assistant', content: partsOfAnswer(message) };
      if (message.role === 'tool') return { role: 'tool', content: (message.results ?? []).map(resultPart), ...mark };
      // Files come first, because the question refers to them. Providers refuse an empty text.
      const text = message.text === '' && message.files?.length ? [] : [textPart(message.text)];
      return { role: 'user', content: [...(message.files ?? []).map(filePart), ...text], ...mark };
    }),
  ];
}

/** The tools in the form of the AI SDK. */
export const sdkTools = (tools: readonly ToolDefinition[]) =>
  tools.map(({ name, description, inputSchema }) => ({ type: 'function', name, description, inputSchema }) as const);

/** Providers refuse an empty text next to calls. */
function partsOfAnswer({ text, calls = [] }: Turn) {
  const callParts = calls.map(({ callId, name, input }) => ({ type: 'tool-call', toolCallId: callId, toolName: name, input }) as const);
  return [...(text === '' && callParts.length > 0 ? [] : [textPart(text)]), ...callParts];
}

const resultPart = ({ callId, name, text, isError }: NonNullable<Turn['results']>[number]) =>
  ({
    type: 'tool-result',
    toolCallId: callId,
    toolName: name,
    output: { type: isError ? 'error-text' : 'text', value: text },
  }) as const;

const textPart = (text: string) => ({ type: 'text', text }) as const;

const filePart = ({ mediaType, name, bytes }: TurnFile) =>
  ({ type: 'file', mediaType, data: { type: 'data', data: bytes }, ...(name !== null && { filename: name }) }) as const;
