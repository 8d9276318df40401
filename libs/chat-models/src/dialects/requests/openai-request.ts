import { OpenAiMessages } from './openai-messages.ts';
import { invalidField, RequestFields, unsupported } from './request-fields.ts';
import {
  present,
  REASONING_TOKENS,
  type ResponseFormat,
  type Schema,
  takesInstructionsFirst,
  type Tool,
  type ToolChoice,
  type TranslatedRequest,
  type TranslationTarget,
  withInstructionsFirst,
} from '../translation-target.ts';

/** Fields that change nothing in an answer. */
export const HARMLESS = [
  'model',
  'stream',
  'stream_options',
  'user',
  'metadata',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
];

/** Reads a request of OpenAI's chat completions. Rejects with `UntranslatableRequest`. */
export async function openAiRequest(body: unknown, target: TranslationTarget): Promise<TranslatedRequest> {
  const request = new RequestFields(body);
  request.ignore(...HARMLESS);
  request.allow('n', 1);
  request.allow('store', false);
  request.allow('logprobs', false);
  request.allow('top_logprobs', 0);
  request.allow('service_tier', 'auto', 'default');
  request.allow('verbosity', 'medium');
  for (const name of ['modalities', 'logit_bias'])
    if (isDefault[name]!(request.get(name))) request.ignore(name);
    else throw unsupported(name);
  const { type } = target;
  const isOpenAi = type === 'openai' || type === 'openai_compatible';
  if (!isOpenAi) for (const name of ['presence_penalty', 'frequency_penalty']) request.allow(name, 0);
  if (!isOpenAi && request.has('seed')) throw unsupported('seed');
  if (isOpenAi && request.has('top_k')) throw unsupported('top_k');
  const hasParallelCalls = request.flag('parallel_tool_calls');
  if (type === 'bedrock' && hasParallelCalls === false) throw unsupported('parallel_tool_calls');
  const parameters = present({
    maxOutputTokens: request.number('max_completion_tokens') ?? request.number('max_tokens'),
    temperature: request.number('temperature'),
    topP: request.number('top_p'),
    topK: request.number('top_k'),
    seed: request.number('seed'),
    presencePenalty: isOpenAi ? request.number('presence_penalty') : undefined,
    frequencyPenalty: isOpenAi ? request.number('frequency_penalty') : undefined,
    stopSequences: stopsIn(request),
    responseFormat: formatIn(request, isOpenAi),
    tools: request.has('tools') ? request.each('tools').map(toolIn) : undefined,
    toolChoice: choiceIn(request),
  });
  // Both names have the same meaning.
  request.ignore('max_tokens');
  const reasoningTokens = effortIn(request, 'reasoning_effort', target);
  const prompt = await OpenAiMessages.read(request.each('messages'));
  request.end();
  return { prompt: takesInstructionsFirst(target) ? withInstructionsFirst(prompt) : prompt, parameters, reasoningTokens, hasParallelCalls };
}

const isDefault: Readonly<Record<string, (value: unknown) => boolean>> = {
  modalities: (value) => value === undefined || JSON.stringify(value) === '["text"]',
  logit_bias: (value) => value === undefined || JSON.stringify(value) === '{}',
};

function stopsIn(request: RequestFields): string[] | undefined {
  const stop = request.get('stop');
  const stops = typeof stop === 'string' ? [stop] : stop;
  if (stops === undefined) return undefined;
  if (!Array.isArray(stops) || !stops.every((each) => typeof each === 'string'))
    throw invalidField('stop', 'must be a text or a list of texts');
  return stops;
}

function formatIn(request: RequestFields, isOpenAi: boolean): ResponseFormat | undefined {
  const format = request.fields('response_format');
  if (!format) return undefined;
  const type = format.requiredText('type');
  if (type === 'text') return format.end() as undefined;
  if (type === 'json_schema') {
    const named = format.fields('json_schema');
    if (!named?.has('schema')) throw invalidField('response_format.json_schema.schema', 'must be an object');
    const [name, description] = [named.text('name'), named.text('description')];
    named.ignore('strict');
    const schema = named.get('schema') as Schema;
    named.end();
    format.end();
    return { type: 'json', schema, ...present({ name, description }) } as ResponseFormat;
  }
  if (type !== 'json_object' || !isOpenAi) throw unsupported('response_format', 'must have a JSON schema for the provider of this model');
  format.end();
  return { type: 'json' };
}

function toolIn(tool: RequestFields): Tool {
  const type = tool.requiredText('type');
  const described = tool.fields('function');
  if (type !== 'function' || !described) throw unsupported(tool.at('type'), 'must be function');
  const name = described.requiredText('name');
  const description = described.text('description');
  const strict = described.flag('strict');
  const inputSchema = (described.get('parameters') ?? { type: 'object', properties: {} }) as Schema;
  described.end();
  tool.end();
  return { type: 'function', name, inputSchema, ...present({ description, strict }) } as Tool;
}

function choiceIn(request: RequestFields): ToolChoice | undefined {
  const choice = request.get('tool_choice');
  if (choice === undefined) return undefined;
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { type: choice };
  const named = new RequestFields(choice, 'tool_choice');
  const called = named.text('type') === 'function' ? named.fields('function') : undefined;
  if (!called) throw unsupported('tool_choice', 'must be none, auto, required or a function');
  const toolName = called.requiredText('name');
  called.end();
  named.end();
  return { type: 'tool', toolName };
}

/** Tokens of reasoning for the effort in a field. */
export function effortIn(fields: RequestFields, name: string, { canReason }: TranslationTarget): number | null {
  const effort = fields.text(name);
  if (effort === undefined) return null;
  const tokens = REASONING_TOKENS.get(effort);
  if (tokens === undefined) throw unsupported(fields.at(name), 'has a value that is not supported');
  if (tokens !== null && !canReason) throw unsupported(fields.at(name), 'is not supported by this model');
  return tokens;
}
