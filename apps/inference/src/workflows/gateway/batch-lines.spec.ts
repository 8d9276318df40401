import { describe, expect, it } from '@jest/globals';
import { batchLineIn } from './batch-lines.ts';

const lineOf = (body: object) => Buffer.from(JSON.stringify({ custom_id: 'a', method: 'POST', url: '/v1/responses', body }));

describe('a line of a batch of responses', () => {
  it.each([{ store: true }, { previous_response_id: 'resp_of_another_caller' }])('neither stores nor continues a response (%j)', (field) =>
    expect(batchLineIn(lineOf({ model: 'gpt', input: 'Hi', ...field }), 'responses')).rejects.toMatchObject({ code: 'invalid_line' }),
  );
  it.each([{}, { store: false }, { store: null, previous_response_id: null }])('may say so (%j)', async (field) => {
    const body = { model: 'gpt', input: 'Hi', ...field };
    expect(JSON.parse(String((await batchLineIn(lineOf(body), 'responses')).body))).toEqual(body);
  });
});
