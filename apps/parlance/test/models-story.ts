import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import OpenAI, { toFile } from 'openai';
import { admin, makeUser, tokenOf } from './deployment.ts';
import type { Story } from './people-story.ts';

const model = 'local-extractive';
const messages = [{ role: 'user' as const, content: 'What can you do?' }];
const nano = (dollars: number) => Math.round(dollars * 1e9);

/** Calls models without a bot, in every shape of the product. */
export function modelsStory(story: () => Story): void {
  describe('a model, for programs with a token', () => {
    const user = { id: '', bearer: {} as Record<string, string> };
    let key: string;
    let cost = 0;
    const openai = (url = story().product.urls[0]!) => new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
    const chat = (client: OpenAI) => client.chat.completions.create({ model, messages });

    beforeAll(async () => {
      const { id, token } = await makeUser(story().product.urls[0]!, `program-${newId().toLowerCase()}`);
      Object.assign(user, { id, bearer: { authorization: `Bearer ${token}` } });
      const body = { description: 'For models', scopes: ['models'] };
      ({ token: key } = (await story().ask('POST', '/user/me/tokens', body, user.bearer)).body as { token: string });
    });

    it('answers the client of OpenAI at every edge, complete and streamed, and names the cost', async () => {
      for (const url of story().product.urls) {
        const client = openai(url);
        expect((await client.models.list()).data.map(({ id }) => id)).toContain(model);
        const { data, response } = await client.chat.completions.create({ model, messages }).withResponse();
        expect(data.choices[0]).toMatchObject({ finish_reason: 'stop', message: { role: 'assistant' } });
        const { prompt_tokens: input, completion_tokens: output } = data.usage!;
        expect(nano(Number(response.headers.get('x-parlance-cost')))).toBe(input * 500 + output * 2_000);
        expect(response.headers.get('x-parlance-model')).toBe(model);
        let text = '';
        for await (const chunk of await client.chat.completions.create({ model, messages, stream: true }))
          text += chunk.choices[0]?.delta.content ?? '';
        expect(text).toBe(data.choices[0]!.message.content);
        cost += 2 * (input * 500 + output * 2_000);
      }
    });
    it('answers the client of OpenAI in its newer format, complete and streamed, and stores no response by default', async () => {
      const client = openai();
      const input = messages[0]!.content;
      const { id, output_text, usage } = await client.responses.create({ model, input });
      let text = '';
      for await (const event of await client.responses.create({ model, input, stream: true }))
        if (event.type === 'response.output_text.delta') text += event.delta;
      expect([text, output_text.length > 0]).toEqual([output_text, true]);
      cost += 2 * (usage!.input_tokens * 500 + usage!.output_tokens * 2_000);
      await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404, code: 'response_not_found' });
    });
    it('has stored responses at every edge as soon as they are answered, until they are deleted', async () => {
      const [first, last] = [openai(), openai(story().product.urls.at(-1))];
      const charge = ({ usage }: OpenAI.Responses.Response) => (cost += usage!.input_tokens * 500 + usage!.output_tokens * 2_000);
      const one = await first.responses.create({ model, input: 'What can you do?', store: true });
      const two = await last.responses.stream({ model, input: 'And?', previous_response_id: one.id, store: true }).finalResponse();
      charge(one);
      charge(two);
      expect((await first.responses.retrieve(two.id)).output_text).toBe(two.output_text);
      expect((await first.responses.inputItems.list(two.id)).data).toHaveLength(3);
      await last.responses.delete(one.id);
      await expect(first.responses.retrieve(one.id)).rejects.toMatchObject({ status: 404, code: 'response_not_found' });
      const more = first.responses.create({ model, input: 'And now?', previous_response_id: two.id });
      await expect(more).rejects.toMatchObject({ status: 404, code: 'previous_response_not_found' });
    });
    it('reads the model of a form with a file', async () => {
      const file = await toFile(Buffer.alloc(100_000), 'a.wav', { type: 'audio/wav' });
      const refused = { status: 400, code: 'unsupported_parameter', param: 'model' };
      for (const url of story().product.urls)
        await expect(openai(url).audio.transcriptions.create({ model, file })).rejects.toMatchObject(refused);
    });
    it('answers in the format of Anthropic too, with the token as a key', async () => {
      const send = async (body: object) => {
        const headers = { 'x-api-key': key, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };
        const answer = await fetch(`${story().product.urls.at(-1)}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(body) });
        return { status: answer.status, body: (await answer.json()) as { usage: { input_tokens: number; output_tokens: number } } };
      };
      const { status, body } = await send({ model, max_tokens: 100, messages });
      expect([status, body]).toMatchObject([200, { type: 'message' }]);
      cost += body.usage.input_tokens * 500 + body.usage.output_tokens * 2_000;
      const refused = await send({ model: 'nothing', max_tokens: 100, messages });
      expect([refused.status, refused.body]).toMatchObject([404, { type: 'error', error: { code: 'model_not_found' } }]);
    });
    it('may be one of a route, whose other model is away', async () => {
      const route = 'any-model';
      for (const url of story().product.urls) {
        const client = openai(url);
        expect((await client.models.list()).data).toContainEqual({ id: route, object: 'model', created: 0, owned_by: 'parlance' });
        const { data, response } = await client.chat.completions.create({ model: route, messages }).withResponse();
        expect(response.headers.get('x-parlance-model')).toBe(model);
        const { prompt_tokens: input, completion_tokens: output } = data.usage!;
        expect(nano(Number(response.headers.get('x-parlance-cost')))).toBe(input * 500 + output * 2_000);
        let text = '';
        for await (const chunk of await client.chat.completions.create({ model: route, messages, stream: true }))
          text += chunk.choices[0]?.delta.content ?? '';
        expect(text).toBe(data.choices[0]!.message.content);
        cost += 2 * (input * 500 + output * 2_000);
      }
      const { body } = await story().until(
        'the records',
        () => story().ask('GET', `/user/me/calls?model=${route}`, undefined, user.bearer),
        (answer) => answer.body.calls.length === 2 * story().product.urls.length,
      );
      expect(body.calls[0]).toMatchObject({ model, route, status: 'completed' });
      await expect(openai().chat.completions.create({ model: 'away', messages })).rejects.toMatchObject({
        status: 503,
        code: 'provider_unavailable',
      });
    });
    it('charges its user, to the nano-dollar', async () => {
      const { body } = await story().until(
        'the charges',
        () => story().ask('GET', '/user/me/usage', undefined, user.bearer),
        (answer) => nano(answer.body.total_cost) === cost,
      );
      expect(nano(body.by_model[model])).toBe(cost);
    });
    it('is refused beyond the budget of its user, in the form of OpenAI', async () => {
      const budget = { scope: 'user', scope_id: user.id, period: 'MONTH', limit: cost / 1e9, mode: 'hard' };
      const set = await story().ask('PUT', '/admin/budgets', budget, {
        authorization: `Bearer ${await tokenOf(story().product.urls[0]!, admin)}`,
      });
      expect(set.status).toBe(200);
      const used = { status: 429, code: 'budget_exceeded', type: 'insufficient_quota' };
      // Each replica knows a new budget soon.
      for (const url of story().product.urls)
        await waitFor(async () => (await expect(chat(openai(url))).rejects.toMatchObject(used), true), { what: 'the refusal' });
    });
    it('is refused in the form of OpenAI as soon as the token is revoked', async () => {
      const { body } = await story().ask('GET', '/user/me/tokens', undefined, user.bearer);
      expect((await story().ask('DELETE', `/user/me/tokens/${body.tokens[0].token_id}`, undefined, user.bearer)).status).toBe(204);
      for (const url of story().product.urls)
        await expect(chat(openai(url))).rejects.toMatchObject({ status: 401, type: 'authentication_error', code: 'invalid_token' });
    });
  });
}
