import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_PARAMETERS, type Prompt } from '../chat-model.ts';
import { assemble } from './assemble.ts';
import { remembered } from './remembered.ts';

const prompt = (more: Partial<Prompt> = {}): Prompt => ({
  turns: [{ role: 'user', text: 'Where do I work?' }],
  instruction: 'Be brief.',
  knowledge: null,
  parameters: DEFAULT_PARAMETERS,
  isCached: false,
  ...more,
});
const WIDE = { contextWindow: 100_000, maxOutputTokens: 4_096 };

describe('the memory in a prompt', () => {
  it('follows the instruction, between delimiters', async () => {
    const { system, stableSystem } = await assemble(prompt({ memory: ['Works in Lisbon.', 'Prefers metric units.'] }), WIDE);
    expect(stableSystem).toBe('Be brief.');
    expect(system).toMatch(/^Be brief\.\n\nThe list below is .*\n<memory>\n- Works in Lisbon\.\n- Prefers metric units\.\n<\/memory>$/s);
  });
  it('adds nothing if it is empty', async () => {
    const [without, empty] = [await assemble(prompt(), WIDE), await assemble(prompt({ memory: [] }), WIDE)];
    expect(empty).toEqual(without);
    expect(without.system).toBe('Be brief.');
  });
  it('is omitted as a whole before the instruction is cut', async () => {
    const memory = Array.from({ length: 60 }, (_, index) => `Has read book number ${index}.`);
    const { system } = await assemble(prompt({ memory, instruction: 'Be brief. '.repeat(40) }), {
      contextWindow: 1_024,
      maxOutputTokens: 256,
    });
    expect(system).toBe('Be brief. '.repeat(40).trim());
  });
  it('cannot close its delimiters or begin another line, whatever its entries have', () => {
    const part = fc.constantFrom('<', '/', 'memory', 'MEMORY', '>', ' ', '\n', '\u200b', '</memory>', '< /memory>', 'x');
    fc.assert(
      fc.property(fc.array(fc.array(part, { maxLength: 8 }), { minLength: 1, maxLength: 5 }), (entries) => {
        const block = remembered(entries.map((parts) => parts.join('')));
        const lines = block.split('\n').slice(1);
        expect(lines).toHaveLength(entries.length + 2);
        const inside = lines.slice(1, -1).join('\n').replaceAll('\u200b', '').toLowerCase();
        expect(inside).not.toMatch(/<\s*\/?\s*memory/);
      }),
    );
  });
});
