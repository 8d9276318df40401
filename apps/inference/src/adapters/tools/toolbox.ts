import type { ListedTool, Tool, ToolDefinition, ToolSource, ToolUser } from '@parlance/tools';
import type { Logger } from 'pino';
import type { ToolOfBot } from '../from-bot.ts';

/** The most tools that are offered to a model. */
export const MOST_TOOLS = 128;
/** After this time the tools of a source are left out. */
const FIND_MILLIS = 10_000;
const ALL_OF_SERVER = '__*';

/** A tool, and whether its calls need the user's approval. */
export interface OfferedTool {
  readonly tool: Tool;
  readonly needsApproval: boolean;
}

/** A bot's tools for one user, by name. */
export type OfferedTools = ReadonlyMap<string, OfferedTool>;

/** Finds the tools that a bot names, in all sources. */
export class Toolbox {
  constructor(
    readonly sources: readonly ToolSource[],
    private readonly onError: (error: unknown) => void,
  ) {}

  /** A source that fails or takes too long offers nothing. Rejects with the signal's reason. */
  async offered(named: readonly ToolOfBot[], user: ToolUser, signal: AbortSignal): Promise<OfferedTools> {
    const offered = new Map<string, OfferedTool>();
    if (named.length === 0) return offered;
    const names = named.map(({ name }) => name);
    const found = await Promise.all(this.sources.map((source) => this.found(source, names, user, signal)));
    for (const tool of found.flat().slice(0, MOST_TOOLS)) {
      const { name } = tool.definition;
      const entry = named.find((each) => each.name === name) ?? named.find((each) => isAmong(name, each.name));
      if (!entry || offered.has(name)) continue;
      offered.set(name, { tool, needsApproval: needsApproval(tool, entry) });
    }
    return offered;
  }

  /** The tools that a bot may name, by name. */
  async listed(userId: string): Promise<readonly ListedTool[]> {
    const signal = AbortSignal.timeout(FIND_MILLIS);
    const listed = await Promise.all(
      this.sources.map((source) =>
        source.list(userId, signal).catch((error: unknown): readonly ListedTool[] => {
          this.onError(error);
          return [];
        }),
      ),
    );
    return listed.flat().toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  private async found(source: ToolSource, names: readonly string[], user: ToolUser, signal: AbortSignal): Promise<readonly Tool[]> {
    const { promise: late, resolve } = Promise.withResolvers<readonly Tool[]>();
    const giveUp = new AbortController();
    const timer = setTimeout(() => {
      giveUp.abort(new Error(`the tools were not found in ${FIND_MILLIS} ms`));
      resolve([]);
    }, FIND_MILLIS);
    try {
      return await Promise.race([source.find(names, user, AbortSignal.any([signal, giveUp.signal])), late]);
    } catch (error) {
      signal.throwIfAborted();
      this.onError(error);
      return [];
    } finally {
      clearTimeout(timer);
    }
  }
}

/** A toolbox with all sources of this installation. */
export const toolboxOf = (log: Logger, ...sources: ToolSource[]): Toolbox =>
  new Toolbox(sources, (error) => log.warn({ err: error }, 'the tools of a source could not be found; the model continues without them'));

function needsApproval(tool: Tool, { approval }: ToolOfBot): boolean {
  if (approval === 'always') return true;
  return tool.writes && (approval === 'writes' || !tool.mayGoUnasked);
}

const isAmong = (name: string, pattern: string): boolean => pattern.endsWith(ALL_OF_SERVER) && name.startsWith(pattern.slice(0, -1));

export const definitionsOf = (tools: OfferedTools): readonly ToolDefinition[] => [...tools.values()].map(({ tool }) => tool.definition);
