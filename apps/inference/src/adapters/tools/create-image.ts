import { Refusal } from '@parlance/decider';
import { Tool, type ToolContext, type ToolDefinition, type ToolResult } from '@parlance/tools';

export const CREATE_IMAGE = 'create_image';

const LONGEST_PROMPT = 4_000;
/** Models draw for up to two minutes. */
const CALL_MILLIS = 180_000;

/** The provider has refused, or has answered without an image that can be shown. The message is for the model. */
export class NoImage extends Error {}

/** The provider has been paid, so the model must not try again. */
export const CHARGED_WITHOUT_IMAGE =
  'The call was charged, but the image cannot be shown, because it is too large or of an unknown type. Do not try it again.';

/** Makes an image for the user, at the price of the model. */
export class CreateImage extends Tool {
  /** Nothing outside Parlance changes. */
  override readonly writes = false;
  override readonly isPaid = true;
  override readonly mostMillis = CALL_MILLIS;
  override readonly definition: ToolDefinition = {
    name: CREATE_IMAGE,
    description:
      'Makes one image from a description and shows it to the user below the reply. Only if the user asks for an image. The description says ' +
      'everything that the image must have: what is in it, its style, colours and composition, in English.',
    inputSchema: {
      type: 'object',
      properties: {
        prompt: { type: 'string', minLength: 1, maxLength: LONGEST_PROMPT, description: 'The description of the image.' },
      },
      required: ['prompt'],
      additionalProperties: false,
    },
  };

  /** `make` resolves with base64, and rejects with refusals and `NoImage`. */
  constructor(private readonly make: (prompt: string, userId: string, signal: AbortSignal) => Promise<string>) {
    super();
  }

  override async call(input: unknown, { userId }: ToolContext, signal: AbortSignal): Promise<ToolResult> {
    const { prompt } = input as { prompt?: unknown };
    if (typeof prompt !== 'string' || prompt.trim() === '' || prompt.length > LONGEST_PROMPT)
      return { text: `The argument \`prompt\` must be a text of at most ${LONGEST_PROMPT} characters.`, isError: true };
    try {
      const image = await this.make(prompt.toWellFormed(), userId, signal);
      return { text: 'The image was made. The user sees it below the reply.', isError: false, images: [image] };
    } catch (error) {
      if (error instanceof NoImage) return { text: error.message, isError: true };
      if (error instanceof Refusal) return { text: notMade(error.message), isError: true };
      throw error;
    }
  }
}

export const notMade = (why: string): string => `No image was made: ${why}`;
