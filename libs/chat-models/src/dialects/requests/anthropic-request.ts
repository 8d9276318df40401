import { AnthropicMessages } from './anthropic-messages.ts';
import { invalidField, RequestFields, unsupported } from './request-fields.ts';
import {
  present,
  REASONING_TOKENS,
  type ResponseFormat,
  type Schema,
  type Tool,
  type ToolChoice,
  type TranslatedRequest,
  type TranslationTarget,
} from '../translation-target.ts';

/** Fields that change nothing in an answer. Edits of the context only make a conversation shorter, and marks of a cache only cheaper. */
const HARMLESS = ['model', 'stream', 'metadata', 'cache_control', 'context_management'];

/** Reads a request of Anthropic's Messages API. Rejects with `UntranslatableRequest`. */
export async function anthropicRequest(body: unknown, target: TranslationTarget): Promise<TranslatedRequest> {
  const request = new RequestFields(body);
  request.ignore(...HARMLESS);
  request.allow('service_tier', 'auto', 'standard_only');
  if (target.type !== 'bedrock' && target.type !== 'anthropic' && request.has('top_k')) throw unsupported('top_k');
  const { toolChoice, hasParallelCalls } = choiceIn(request);
  if (target.type === 'bedrock' && hasParallelCalls === false) throw unsupported('tool_choice.disable_parallel_tool_use');
  const { reasoningTokens, responseFormat } = outputIn(request, target);
  const parameters = present({
    maxOutputTokens: request.number('max_tokens'),
    temperature: request.number('temperature'),
    topP: request.number('top_p'),
    topK: request.number('top_k'),
    stopSequences: stopsIn(request),
    responseFormat,
    tools: request.has('tools') ? request.each('tools').map(toolIn) : undefined,
    toolChoice,
  });
  const prompt = await AnthropicMessages.read(request, target);
  request.end();
  return { prompt, parameters, reasoningTokens, hasParallelCalls };
}

function stopsIn(request: RequestFields): string[] | undefined {
  const stops = request.list('stop_sequences');
  if (stops && !stops.every((each) => typeof each === 'string')) throw invalidField('stop_sequences', 'must be a list of texts');
  return stops && ([...stops] as string[]);
}

function toolIn(tool: RequestFields): Tool {
  tool.allow('type', 'custom');
  tool.ignore('cache_control', 'eager_input_streaming', 'defer_loading', 'allowed_callers');
  const name = tool.requiredText('name');
  const description = tool.text('description');
  const strict = tool.flag('strict');
  const inputSchema = (tool.get('input_schema') ?? { type: 'object', properties: {} }) as Schema;
  tool.end();
  return { type: 'function', name, inputSchema, ...present({ description, strict }) } as Tool;
}

const CHOICES: ReadonlyMap<string, ToolChoice> = new Map([
  ['auto', { type: 'auto' }],
  ['none', { type: 'none' }],
  ['any', { type: 'required' }],
]);

function choiceIn(request: RequestFields): { toolChoice: ToolChoice | undefined; hasParallelCalls: boolean | undefined } {
  const choice = request.fields('tool_choice');
  if (!choice) return { toolChoice: undefined, hasParallelCalls: undefined };
  const type = choice.requiredText('type');
  const isSingle = choice.flag('disable_parallel_tool_use');
  const toolChoice = type === 'tool' ? ({ type, toolName: choice.requiredText('name') } as const) : CHOICES.get(type);
  choice.end();
  if (!toolChoice) throw unsupported('tool_choice.type', 'must be auto, any, tool or none');
  return { toolChoice, hasParallelCalls: isSingle === undefined ? undefined : !isSingle };
}

interface Output {
  readonly reasoningTokens: number | null;
  readonly responseFormat: ResponseFormat | undefined;
}

/** `thinking` allows reasoning, so a model that cannot reason ignores it. */
function outputIn(request: RequestFields, { canReason }: TranslationTarget): Output {
  const thinking = request.fields('thinking');
  const config = request.fields('output_config');
  const effort = config?.text('effort');
  const format = config?.fields('format') ?? request.fields('output_format');
  config?.allow('task_budget');
  config?.end();
  const responseFormat = format && formatIn(format);
  const type = thinking?.requiredText('type');
  thinking?.ignore('display');
  const budget = thinking?.number('budget_tokens');
  thinking?.end();
  if (type !== undefined && !['enabled', 'adaptive', 'disabled'].includes(type))
    throw unsupported('thinking.type', 'must be enabled, adaptive or disabled');
  const ofEffort = effort === undefined ? null : REASONING_TOKENS.get(effort);
  if (ofEffort === undefined) throw unsupported('output_config.effort', 'has a value that is not supported');
  if (!canReason || type === 'disabled') return { reasoningTokens: null, responseFormat };
  return { reasoningTokens: type === 'enabled' ? (budget ?? ofEffort) : ofEffort, responseFormat };
}

function formatIn(format: RequestFields): ResponseFormat {
  if (format.text('type') !== 'json_schema') throw unsupported(format.at('type'), 'must be json_schema');
  const schema = format.get('schema') as Schema | undefined;
  if (schema === undefined) throw invalidField(format.at('schema'), 'must be an object');
  format.end();
  return { type: 'json', schema };
}
