import { describe, expect, it } from '@jest/globals';
import { type ListedTool, Tool, type ToolResult, ToolSource } from '@parlance/tools';
import type { ToolOfBot } from '../from-bot.ts';
import { definitionsOf, Toolbox } from './toolbox.ts';

class Named extends Tool {
  override readonly definition;

  constructor(
    name: string,
    override readonly writes: boolean,
  ) {
    super();
    this.definition = { name, description: name, inputSchema: {} };
  }

  override async call(): Promise<ToolResult> {
    return { text: '', isError: false };
  }
}

class Source extends ToolSource {
  constructor(private readonly tools: readonly Tool[] | Error) {
    super();
  }

  override async find(): Promise<readonly Tool[]> {
    if (this.tools instanceof Error) throw this.tools;
    return this.tools;
  }

  override async list(): Promise<readonly ListedTool[]> {
    return (await this.find()).map(({ definition, writes }) => ({ ...definition, writes }));
  }
}

const [read, send] = [new Named('mail__read', false), new Named('mail__send', true)];
const never = new AbortController().signal;
const user = { userId: 'ann', ownerId: 'ann', configuredBy: 'ann' };
const offered = async (named: readonly ToolOfBot[], ...sources: Source[]) => {
  const errors: unknown[] = [];
  const tools = await new Toolbox(sources, (error) => errors.push(error)).offered(named, user, never);
  return { asks: Object.fromEntries([...tools].map(([name, { needsApproval }]) => [name, needsApproval])), errors, tools };
};

describe('the tools of a bot', () => {
  it.each([
    ['never', { mail__read: false, mail__send: false }],
    ['writes', { mail__read: false, mail__send: true }],
    ['always', { mail__read: true, mail__send: true }],
  ] as const)("ask the user as the bot's approval setting requires: %s", async (approval, asks) =>
    expect((await offered([{ name: 'mail__*', approval }], new Source([read, send]))).asks).toEqual(asks),
  );
  it('need approval before they write if the user who configured the bot may not waive it', async () => {
    class ApprovalRequired extends Named {
      override readonly mayGoUnasked = false;
    }
    const source = new Source([new ApprovalRequired('mail__read', false), new ApprovalRequired('mail__send', true)]);
    expect((await offered([{ name: 'mail__*', approval: 'never' }], source)).asks).toEqual({ mail__read: false, mail__send: true });
  });
  it("use their own entry instead of their server's", async () => {
    const named: ToolOfBot[] = [
      { name: 'mail__*', approval: 'always' },
      { name: 'mail__read', approval: 'never' },
    ];
    expect((await offered(named, new Source([read, send]))).asks).toEqual({ mail__read: false, mail__send: true });
  });
  it('are the ones that the bot names, without duplicates', async () => {
    const named: ToolOfBot[] = [{ name: 'mail__read', approval: 'never' }];
    const { tools } = await offered(named, new Source([read, send]), new Source([read]));
    expect(definitionsOf(tools).map(({ name }) => name)).toEqual(['mail__read']);
  });
  it('leave out the tools of a source that fails', async () => {
    const { asks, errors } = await offered([{ name: 'mail__*', approval: 'never' }], new Source(new Error('away')), new Source([read]));
    expect([asks, errors]).toEqual([{ mail__read: false }, [new Error('away')]]);
  });
  it('are listed by name', async () => {
    const toolbox = new Toolbox([new Source([send]), new Source(new Error('away')), new Source([read])], () => undefined);
    expect((await toolbox.listed('ann')).map(({ name }) => name)).toEqual(['mail__read', 'mail__send']);
  });
});
