import { createOpenAI } from '@ai-sdk/openai';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { generateText } from 'ai';
import OpenAI from 'openai';
import { MOST_MEMBERS } from '../../src/http/published/body-bounds.ts';
import { PublishedBot } from './published-bot.ts';

describe('responses of a published bot', () => {
  const bot = new PublishedBot();
  let client: OpenAI;
  const refusal = (answer: Promise<unknown>) =>
    answer.then(
      () => Promise.reject(new Error('it was answered')),
      (error: InstanceType<typeof OpenAI.APIError>) => error,
    );
  const answered = async (input: string, more: Partial<OpenAI.Responses.ResponseCreateParamsNonStreaming> = {}, answer = 'So.') => {
    const answering = client.responses.create({ model: 'local-extractive', input, ...more });
    const call = await bot.model.call(input);
    call.say(answer).end();
    return { response: await answering, call };
  };

  beforeAll(async () => {
    await bot.start();
    client = bot.openai();
  });
  afterAll(async () => {
    await bot.stop();
    jest.restoreAllMocks();
  });

  it('are answered completely, and are found by their ID', async () => {
    const { response } = await answered('Why?', { instructions: 'Be kind.', max_output_tokens: 50, metadata: { a: 'b' } }, 'Because.');
    expect(response).toMatchObject({
      object: 'response',
      status: 'completed',
      error: null,
      incomplete_details: null,
      instructions: 'Be kind.',
      max_output_tokens: 50,
      metadata: { a: 'b' },
      model: 'local-extractive',
      output: [
        {
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Because.', annotations: [], logprobs: [] }],
        },
      ],
      output_text: 'Because.',
      store: true,
      usage: { input_tokens: 7, output_tokens: 3, total_tokens: 10 },
    });
    const found = await client.responses.retrieve(response.id);
    expect(found).toMatchObject({ id: response.id, status: 'completed', output: response.output, usage: response.usage });
  });

  it('continue after an earlier response, whose instructions no longer apply', async () => {
    const first = await answered('My name is Ann.', { instructions: 'Answer in French.' }, 'Bonjour.');
    const second = await answered('What is my name?', { previous_response_id: first.response.id }, 'Ann.');
    expect(second.call.prompt).toMatchObject({
      instruction: 'Be brief.',
      turns: [
        { role: 'user', text: 'My name is Ann.' },
        { role: 'assistant', text: 'Bonjour.' },
        { role: 'user', text: 'What is my name?' },
      ],
    });
    expect(second.response.previous_response_id).toBe(first.response.id);
    // Another answer to the first response is another branch.
    const branch = await answered('And yours?', { previous_response_id: first.response.id });
    expect(branch.call.prompt.turns.map(({ text }) => text)).toEqual(['My name is Ann.', 'Bonjour.', 'And yours?']);
  });

  it('keep the turns that were sent with an earlier message, without those of a system', async () => {
    const answering = client.responses.create({
      model: 'local-extractive',
      input: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'One.' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Two.' }] as never },
        { type: 'reasoning', id: 'rs_1', summary: [] },
        { role: 'user', content: [{ type: 'input_text', text: 'Three?' }] },
      ],
    });
    const call = await bot.model.call('Three?');
    call.say('Four.').end();
    const { id } = await answering;
    expect(call.prompt.instruction).toBe('Be brief.\n\nBe kind.');
    const next = await answered('Five?', { previous_response_id: id });
    expect(next.call.prompt.instruction).toBe('Be brief.');
    expect(next.call.prompt.turns.map(({ role, text }) => `${role} ${text}`)).toEqual([
      'user One.',
      'assistant Two.',
      'user Three?',
      'assistant Four.',
      'user Five?',
    ]);
  });

  it('stream the events of the protocol, in its order', async () => {
    bot.bots.chunks = [{ content: 'Water boils at 100 degrees.', source_id: 'physics' }];
    const stream = client.responses.stream({ model: 'local-extractive', input: 'Why streamed?' });
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    stream.on('event', (event) => void events.push(event));
    const call = await bot.model.call('Why streamed?');
    call.say('It boils');
    await waitFor(() => events.some(({ type }) => type === 'response.output_text.delta'), { what: 'the first delta' });
    call.say(' [^1].').end();
    const response = await stream.finalResponse();
    bot.bots.chunks = [];
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.annotation.added',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
    expect(response.output_text).toBe('It boils [^1].');
    expect(response.output[0]).toMatchObject({
      content: [{ annotations: [{ type: 'file_citation', file_id: 'physics', filename: 'physics.pdf', index: 9 }] }],
    });
    expect(response.output).toMatchObject((await client.responses.retrieve(response.id)).output);
  });

  it('end a stream as failed if the model fails, and report why', async () => {
    const stream = await client.responses.create({ model: 'local-extractive', input: 'Why fail?', stream: true });
    const call = (await bot.model.call('Why fail?')).say('So');
    let last: OpenAI.Responses.ResponseStreamEvent | null = null;
    for await (const event of stream) {
      if (event.type === 'response.output_text.delta') call.fail(new Error('ECONNREFUSED 10.0.0.1'));
      last = event;
    }
    expect(last).toMatchObject({ type: 'response.failed', response: { status: 'failed', error: { code: 'generation_failed' } } });
    expect(JSON.stringify(last)).not.toContain('10.0.0.1');
    const { id } = (last as unknown as { response: { id: string } }).response;
    expect(await client.responses.retrieve(id)).toMatchObject({ status: 'failed', error: { code: 'generation_failed' } });
  });

  it('are answered as failed if the model fails', async () => {
    const answering = client.responses.create({ model: 'local-extractive', input: 'Why fail at once?' });
    (await bot.model.call('Why fail at once?')).fail(new Error('ECONNREFUSED 10.0.0.1'));
    expect(await answering).toMatchObject({
      status: 'failed',
      output: [],
      error: { code: 'generation_failed', message: 'The model returned no answer.' },
    });
  });

  it('are incomplete if the token limit is reached', async () => {
    const answering = client.responses.create({ model: 'local-extractive', input: 'Why short?', max_output_tokens: 1 });
    (await bot.model.call('Why short?')).say('So').stopAt('max_tokens');
    expect(await answering).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
  });

  it('are unknown to another API of the same owner, and to its own conversations', async () => {
    const { response } = await answered('Whose?');
    const other = bot.openai({ fetch: bot.as('01K00000000000000000000B0B', 'key-2') });
    expect(await refusal(other.responses.retrieve(response.id))).toMatchObject({ status: 404, code: 'response_not_found' });
    const body = { model: 'local-extractive', input: 'Mine?', previous_response_id: response.id };
    expect(await refusal(other.responses.create(body))).toMatchObject({
      status: 404,
      code: 'previous_response_not_found',
      param: 'previous_response_id',
    });
    expect(await refusal(client.responses.retrieve('resp_nothing'))).toMatchObject({ status: 404, code: 'response_not_found' });
  });

  it.each([
    ['tools', { tools: [{ type: 'web_search' }] }],
    ['background', { background: true }],
    ['conversation', { conversation: 'conv_1' }],
    ['text', { text: { format: { type: 'json_object' } } }],
    ['input', { input: [] }],
    ['metadata', { metadata: Object.fromEntries(Array.from({ length: MOST_MEMBERS + 1 }, (_, index) => [`m${index}`, 'x'])) }],
    ['input[0].type', { input: [{ type: 'function_call_output', call_id: 'c', output: 'o' }] }],
    [
      'input[0].content[0].image_url',
      { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'https://example.org/a.png' }] }] },
    ],
  ])('refuse a wrong or unsupported %s by its name', async (param, more) => {
    const body = { model: 'local-extractive', input: 'Why not?', ...more } as never;
    expect(await refusal(client.responses.create(body))).toMatchObject({ status: 400, code: 'invalid_body', param });
  });

  it('work with the OpenAI provider of the AI SDK', async () => {
    const provider = createOpenAI({ baseURL: `${bot.endpoint}/v1`, apiKey: 'prl_test', fetch: bot.as() });
    const whole = generateText({ model: provider.responses('local-extractive'), prompt: 'Why by SDK?', maxRetries: 0 });
    (await bot.model.call('Why by SDK?')).say('So.').end();
    expect(await whole).toMatchObject({ text: 'So.', finishReason: 'stop', usage: { inputTokens: 7, outputTokens: 3 } });
  });
});
