import { afterAll, describe, expect, it } from '@jest/globals';
import { schema, translatedRequests } from '../../../test/translated-requests.ts';
import { UnrulyProvider } from '../../../test/unruly-provider.ts';

const provider = await UnrulyProvider.open();
afterAll(() => provider.close());
const { sent, refusal } = translatedRequests(provider);

describe("a request in the format of OpenAI's Responses", () => {
  const asked = { model: 'm', max_output_tokens: 4_000 };

  it.each(['anthropic', 'bedrock'] as const)('is sent to a provider of the type %s with its items and parameters', async (type) => {
    const body = JSON.stringify(
      await sent(type, 'responses', {
        ...asked,
        instructions: 'Be brief.',
        input: [
          { role: 'user', content: [{ type: 'input_text', text: 'Is it warm?' }] },
          { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'secret' },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Let me look.', annotations: [] }] },
          { type: 'function_call', call_id: 'c', name: 'weather', arguments: '{"city":"Bern"}' },
          { type: 'function_call_output', call_id: 'c', output: 'warm enough' },
        ],
        temperature: 0.4,
        tools: [{ type: 'function', name: 'weather', parameters: schema, strict: false }],
        tool_choice: 'auto',
        store: false,
        include: ['reasoning.encrypted_content'],
      }),
    );
    for (const text of ['Be brief.', 'Is it warm?', 'Let me look.', '"Bern"', 'warm enough', '0.4', '4000']) expect(body).toContain(text);
    expect(body).not.toContain('secret');
  });
  it('has its calls in one message with the text before them', async () => {
    const { messages } = (await sent('anthropic', 'responses', {
      ...asked,
      tools: [{ type: 'function', name: 'weather' }],
      input: [
        { role: 'user', content: 'Is it warm?' },
        { role: 'assistant', content: 'Let me look.' },
        { type: 'function_call', call_id: 'a', name: 'weather', arguments: '' },
        { type: 'function_call', call_id: 'b', name: 'weather', arguments: '' },
        { type: 'function_call_output', call_id: 'a', output: 'warm' },
        { type: 'function_call_output', call_id: 'b', output: [{ type: 'input_text', text: 'cold' }] },
      ],
    })) as { messages: { role: string; content: { type: string }[] }[] };
    expect(messages.map(({ role, content }) => [role, content.map(({ type }) => type)])).toEqual([
      ['user', ['text']],
      ['assistant', ['text', 'tool_use', 'tool_use']],
      ['user', ['tool_result', 'tool_result']],
    ]);
  });
  it.each<[object, string]>([
    [{ tools: [{ type: 'web_search' }] }, 'tools[0].type'],
    [{ truncation: 'auto' }, 'truncation'],
    [{ include: ['message.output_text.logprobs'] }, 'include'],
    [{ prompt: { id: 'p' } }, 'prompt'],
    [{ input: [{ type: 'item_reference', id: 'x' }] }, 'input[0].type'],
    [{ input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }] }, 'input[0].content[0].input_image'],
    [{ text: { format: { type: 'json_object' } } }, 'text.format'],
    [{ input: [] }, 'input'],
  ])('is refused by its name: %j', async (field, path) =>
    expect(await refusal('anthropic', 'responses', { ...asked, input: 'Is it warm?', ...field })).toEqual(['unsupported_parameter', path]),
  );
});
