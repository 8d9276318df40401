import { Tool, type ToolDefinition, type ToolResult } from '../tool.ts';
import { LONGEST_EXPRESSION, valueOf } from './expression.ts';
import { NoValue } from './rational.ts';

/** Computes exactly, with fractions of integers. Numbers are bounded so that a calculation stays fast. */
export class Calculator extends Tool {
  override readonly writes = false;
  override readonly definition: ToolDefinition = {
    name: 'calculator',
    description:
      'Computes an arithmetic expression exactly: + - * / % ^, brackets, abs, floor, ceil, round(x, digits), sqrt, min, max. Use it for every calculation.',
    inputSchema: {
      type: 'object',
      properties: { expression: { type: 'string', maxLength: LONGEST_EXPRESSION, description: 'For example (17.5 + 3) * 12 / 7.' } },
      required: ['expression'],
      additionalProperties: false,
    },
  };

  override async call(input: unknown): Promise<ToolResult> {
    const { expression } = (input ?? {}) as { expression?: unknown };
    if (typeof expression !== 'string') return { text: 'The argument `expression` must be a text.', isError: true };
    try {
      const { text, isExact } = valueOf(expression);
      return { text: isExact ? text : `${text} (rounded)`, isError: false };
    } catch (error) {
      if (!(error instanceof NoValue)) throw error;
      return { text: error.message, isError: true };
    }
  }
}
