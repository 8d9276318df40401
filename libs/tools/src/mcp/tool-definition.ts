import type { Tool as ServerTool } from '@modelcontextprotocol/client';
import { plainText } from '../plain-text.ts';
import type { ToolDefinition } from '../tool.ts';
import { MOST_DESCRIPTION, MOST_LEVELS, MOST_SCHEMA } from './limits.ts';

/**
 * The definition of a server's tool for the model. Servers are untrusted, so texts are bounded and have no invisible characters. Null if the
 * schema is too large or too deep: part of a schema would mean something else.
 */
export function definitionOf(name: string, { description = '', inputSchema }: ServerTool): ToolDefinition | null {
  const schema = plainSchema(inputSchema, MOST_LEVELS);
  if (schema === TOO_DEEP || JSON.stringify(schema).length > MOST_SCHEMA) return null;
  return { name, description: plainText(description, MOST_DESCRIPTION), inputSchema: schema as Record<string, unknown> };
}

const TOO_DEEP = Symbol('too deep');

function plainSchema(value: unknown, levels: number): unknown {
  if (typeof value === 'string') return plainText(value, MOST_SCHEMA);
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return TOO_DEEP;
  const entries = Object.entries(value).map(([key, inner]) => [plainText(key, MOST_SCHEMA), plainSchema(inner, levels - 1)] as const);
  if (entries.some(([, inner]) => inner === TOO_DEEP)) return TOO_DEEP;
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}
