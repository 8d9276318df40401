import { Tool, type ToolContext, type ToolResult, ToolSource, type ToolUser } from '@parlance/tools';

/** A tool whose calls a test answers. */
export class ScriptedTool extends Tool {
  readonly calls: {
    input: unknown;
    context: ToolContext;
    signal: AbortSignal;
    answer: (result: ToolResult) => void;
    fail: (error: Error) => void;
  }[] = [];
  override readonly definition;

  constructor(
    name: string,
    override readonly writes: boolean,
  ) {
    super();
    this.definition = { name, description: `Does ${name}.`, inputSchema: { type: 'object' } };
  }

  override call(input: unknown, context: ToolContext, signal: AbortSignal): Promise<ToolResult> {
    return new Promise((answer, fail) => void this.calls.push({ input, context, signal, answer, fail }));
  }
}

export class ScriptedTools extends ToolSource {
  readonly reading = new ScriptedTool('reading', false);
  readonly writing = new ScriptedTool('writing', true);
  isAway = false;

  /** The users for whom tools were requested. */
  readonly users: ToolUser[] = [];

  override async find(names: readonly string[], user: ToolUser): Promise<readonly Tool[]> {
    this.users.push(user);
    if (this.isAway) throw new Error('ECONNREFUSED 10.0.0.1');
    return [this.reading, this.writing].filter(({ definition }) => names.includes(definition.name));
  }

  override async list() {
    return [];
  }
}
