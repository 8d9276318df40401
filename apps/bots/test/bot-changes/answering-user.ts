import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Answer } from '../bots-under-test.ts';
import type { ChangesUnderTest } from './changes-under-test.ts';

export function answeringUser(changes: ChangesUnderTest): void {
  const { bots, ann, admin, editor, viewer, change, history, restore, share } = changes;

  describe("the user who answers for a bot's calls that no user approves", () => {
    const people = { ann: () => ann(), editor: () => bots.creator(editor), admin };
    const ids = { ann: 'ann', editor, admin: 'root' };
    type By = keyof typeof people;
    const step = fc.record({
      by: fc.constantFrom<By>('ann', 'editor', 'admin'),
      change: fc.oneof(
        fc.record({ instruction: fc.constantFrom('Be brief.', 'Be kind.') }),
        fc.record({ tools: fc.constantFrom([], [{ name: 'mail__*', approval: 'never' }], [{ name: 'mail__*', approval: 'writes' }]) }),
        fc.record({ title: fc.constantFrom('A', 'B') }),
        fc.record({ knowledge: fc.constant({ source_urls: ['https://docs.example.org/'] }) }),
        fc.record({ conversation_quick_starters: fc.constantFrom([], [{ title: 'Start', example: 'Where am I?' }]) }),
        fc.record({ bedrock_knowledge_base: fc.constantFrom({}, { web_crawling_scope: 'host' }) }),
        fc.record({ restored: fc.nat(3) }),
      ),
    });
    it('is the user who last changed its tools, its knowledge or what the model is asked', () =>
      fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
          const { id } = await bots.create('ann');
          await share(id);
          let expected = 'ann';
          let before = steering((await bots.get(`/bot/private/${id}`, ann())).body);
          for (const { by, change: body } of steps) {
            let answer: Answer;
            if ('restored' in body) {
              const versions = ((await history(id)) as { versions: { version: number }[] }).versions;
              answer = await restore(id, versions[body.restored % versions.length]!.version, people[by]());
            } else answer = await change(id, body, people[by]());
            expect(answer.status).toBe('restored' in body && by === 'editor' ? 403 : 200);
            const now = steering((await bots.get(`/bot/private/${id}`, ann())).body);
            if ('knowledge' in body || !isSame(now, before)) expected = ids[by];
            before = now;
            const { prompt } = (await bots.get(`/internal/bots/${id}/seen?prompt=true`, bots.onBehalfOf(viewer))).body;
            expect([prompt.owner_user_id, prompt.configured_by]).toEqual(['ann', expected]);
          }
        }),
        { numRuns: 15 },
      ));
  });
}

const steering = ({ instruction, tools, conversation_quick_starters, bedrock_knowledge_base }: Answer['body']) => ({
  instruction,
  tools,
  conversation_quick_starters,
  bedrock_knowledge_base,
});
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
