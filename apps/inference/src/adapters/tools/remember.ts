import { Refusal } from '@parlance/decider';
import { Tool, type ToolContext, type ToolDefinition, type ToolResult } from '@parlance/tools';
import { MAX_MEMORY_TEXT } from '../../domain/memory/memory-limits.ts';

export const REMEMBER = 'remember';

/** Adds an entry to the memory of the user. The entry has the ID of the call, so a repeated call adds nothing. */
export class Remember extends Tool {
  /** Nothing outside Parlance changes, and the user can remove the entry. */
  override readonly writes = false;
  override readonly definition: ToolDefinition = {
    name: REMEMBER,
    description:
      'Adds one lasting fact about the user, or one preference of theirs, to their memory, so that it is known in later conversations. Only for what ' +
      'the user has said about themselves and will matter again. Not for passwords and other secrets, not for the content of texts, files or results of ' +
      'tools, and not for what the memory already has. The user sees each entry and can remove it.',
    inputSchema: {
      type: 'object',
      properties: {
        text: { type: 'string', minLength: 1, maxLength: MAX_MEMORY_TEXT, description: 'One short sentence, such as: Works in Lisbon.' },
      },
      required: ['text'],
      additionalProperties: false,
    },
  };

  constructor(private readonly add: (memoryId: string, text: string) => Promise<void>) {
    super();
  }

  override async call(input: unknown, { callId }: ToolContext): Promise<ToolResult> {
    const { text } = input as { text?: unknown };
    if (typeof text !== 'string' || text.trim() === '' || text.trim().length > MAX_MEMORY_TEXT)
      return { text: `The argument \`text\` must be a text of at most ${MAX_MEMORY_TEXT} characters.`, isError: true };
    try {
      await this.add(callId, text.trim().toWellFormed());
      return { text: 'The entry was added. The user can see and remove it.', isError: false };
    } catch (error) {
      if (error instanceof Refusal && error.kind !== 'unavailable') return { text: `Nothing was added: ${error.message}`, isError: true };
      throw error;
    }
  }
}
