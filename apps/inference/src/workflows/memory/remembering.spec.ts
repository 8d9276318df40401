import { describe, expect, it } from '@jest/globals';
import { Catalogue } from '../../adapters/pricing/catalogue.ts';
import { REMEMBER } from '../../adapters/tools/remember.ts';
import { MOST_TOOLS, type OfferedTool, type OfferedTools } from '../../adapters/tools/toolbox.ts';
import type { ToolWork } from '../tools/tool-work.ts';
import type { MemoryChanges } from './memory-changes.ts';
import { Remembering } from './remembering.ts';

const toolsOf = (count: number): OfferedTools => new Map(Array.from({ length: count }, (_, index) => [`t${index}`, {} as OfferedTool]));

describe('the tool for the memory', () => {
  const offered = ({ mayRemember = true, acceptsTools = true, tools = 0 }) => {
    const catalogue = { acceptsTools: () => acceptsTools } as unknown as Catalogue;
    const work = { live: { reply: { conversationId: 'c', replyId: 'r' } }, question: { userId: 'ann', model: 'm' } } as unknown as ToolWork;
    const usedMemory = { ids: [], texts: [], mayRemember };
    return new Remembering(catalogue, {} as MemoryChanges).with(toolsOf(tools), { usedMemory }, work);
  };

  it('is offered without an approval, after the tools of the bot', () => {
    const tools = offered({ tools: 2 });
    expect([...tools.keys()]).toEqual(['t0', 't1', REMEMBER]);
    expect(tools.get(REMEMBER)).toMatchObject({ needsApproval: false });
  });
  it.each([
    ['the model may add nothing', { mayRemember: false, tools: 1 }],
    ['the model is not known to call tools, and its bot has none', { acceptsTools: false }],
    ['the bot has the most tools that a model is offered', { tools: MOST_TOOLS }],
  ])('is not offered if %s', (_, its) => expect(offered(its).has(REMEMBER)).toBe(false));
  it('is offered to a model that gets the tools of its bot, whatever is known about it', () =>
    expect(offered({ acceptsTools: false, tools: 1 }).has(REMEMBER)).toBe(true));
});
