import { isTurnOver, nextTurn } from '@parlance/event-loop';
import { effortIn, HARMLESS } from './openai-request.ts';
import { RequestFields, invalidField, unsupported } from './request-fields.ts';
import { ResponseItems } from './responses-items.ts';
import {
  present,
  type ResponseFormat,
  type Schema,
  takesInstructionsFirst,
  type Tool,
  type ToolChoice,
  type TranslatedRequest,
  type TranslationTarget,
  withInstructionsFirst,
} from '../translation-target.ts';

/** Reads a request of OpenAI's Responses. It is sent to providers of other types only. Rejects with `UntranslatableRequest`. */
export async function responsesRequest(body: unknown, target: TranslationTarget): Promise<TranslatedRequest> {
  const request = new RequestFields(body);
  request.ignore(...HARMLESS);
  for (const name of ['store', 'background']) request.allow(name, false);
  request.allow('top_logprobs', 0);
  request.allow('truncation', 'disabled');
  request.allow('service_tier', 'auto', 'default');
  const include = request.list('include') ?? [];
  // The reasoning of these providers is not encrypted for a program.
  if (include.some((each) => each !== 'reasoning.encrypted_content')) throw unsupported('include');
  const hasParallelCalls = request.flag('parallel_tool_calls');
  if (target.type === 'bedrock' && hasParallelCalls === false) throw unsupported('parallel_tool_calls');
  const reasoning = request.fields('reasoning');
  reasoning?.ignore('summary', 'generate_summary');
  const reasoningTokens = reasoning ? effortIn(reasoning, 'effort', target) : null;
  reasoning?.end();
  const parameters = present({
    maxOutputTokens: request.number('max_output_tokens'),
    temperature: request.number('temperature'),
    topP: request.number('top_p'),
    responseFormat: formatIn(request),
    tools: request.has('tools') ? request.each('tools').map(toolIn) : undefined,
    toolChoice: choiceIn(request),
  });
  const items = new ResponseItems(request.text('instructions'));
  const input = request.get('input');
  if (typeof input === 'string') items.text(input);
  else
    for (const item of request.each('input')) {
      if (isTurnOver()) await nextTurn();
      items.add(item);
    }
  request.end();
  const prompt = takesInstructionsFirst(target) ? withInstructionsFirst(items.prompt) : items.prompt;
  return { prompt, parameters, reasoningTokens, hasParallelCalls };
}

function formatIn(request: RequestFields): ResponseFormat | undefined {
  const text = request.fields('text');
  text?.allow('verbosity', 'medium');
  const format = text?.fields('format');
  text?.end();
  const type = format?.requiredText('type');
  if (!format || type === 'text') return format?.end() as undefined;
  if (type !== 'json_schema') throw unsupported('text.format', 'must have a JSON schema for the provider of this model');
  if (!format.has('schema')) throw invalidField('text.format.schema', 'must be an object');
  const [name, description, schema] = [format.text('name'), format.text('description'), format.get('schema') as Schema];
  format.ignore('strict');
  format.end();
  return { type: 'json', schema, ...present({ name, description }) } as ResponseFormat;
}

function toolIn(tool: RequestFields): Tool {
  tool.allow('type', 'function');
  const [name, description, strict] = [tool.requiredText('name'), tool.text('description'), tool.flag('strict')];
  const inputSchema = (tool.get('parameters') ?? { type: 'object', properties: {} }) as Schema;
  tool.end();
  return { type: 'function', name, inputSchema, ...present({ description, strict }) } as Tool;
}

function choiceIn(request: RequestFields): ToolChoice | undefined {
  const choice = request.get('tool_choice');
  if (choice === undefined) return undefined;
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { type: choice };
  const named = new RequestFields(choice, 'tool_choice');
  if (named.text('type') !== 'function') throw unsupported('tool_choice', 'must be none, auto, required or a function');
  const toolName = named.requiredText('name');
  named.end();
  return { type: 'tool', toolName };
}
