import type { Chunking } from '../chunk.ts';
import { DocumentRefused } from '../document-refused.ts';
import { MAX_BUFFER_SIZE, MAX_CHUNK_TOKENS } from '../limits.ts';

const isWhole = (value: unknown, from: number, to: number) =>
  Number.isInteger(value) && (value as number) >= from && (value as number) <= to;

/** The error of an invalid chunking in one sentence, or null. */
export function chunkingProblem(chunking: Chunking): string | null {
  const size = (value: unknown, name: string) =>
    isWhole(value, 1, MAX_CHUNK_TOKENS) ? null : `${name} must be a whole number from 1 to ${MAX_CHUNK_TOKENS}.`;
  switch (chunking.chunking_strategy) {
    case 'none':
      return null;
    case 'fixed_size': {
      const { max_tokens, overlap_percentage } = chunking.fixed_size_chunking_configuration;
      if (!(overlap_percentage >= 0 && overlap_percentage < 100)) return 'overlap_percentage must be at least 0 and less than 100.';
      return size(max_tokens, 'max_tokens');
    }
    case 'semantic': {
      const { max_tokens, buffer_size, breakpoint_percentile_threshold } = chunking.semantic_chunking_configuration;
      if (!isWhole(buffer_size, 0, MAX_BUFFER_SIZE)) return `buffer_size must be a whole number from 0 to ${MAX_BUFFER_SIZE}.`;
      if (!(breakpoint_percentile_threshold >= 0 && breakpoint_percentile_threshold <= 100))
        return 'breakpoint_percentile_threshold must be from 0 to 100.';
      return size(max_tokens, 'max_tokens');
    }
    case 'hierarchical': {
      const { level_configurations, overlap_tokens } = chunking.hierarchical_chunking_configuration;
      const [parent, child] = level_configurations;
      if (parent === undefined || child === undefined || level_configurations.length !== 2)
        return 'level_configurations must have two levels: the parent and the child.';
      const problem = size(parent.max_tokens, 'max_tokens of the parent') ?? size(child.max_tokens, 'max_tokens of the child');
      if (problem !== null) return problem;
      if (child.max_tokens > parent.max_tokens) return 'max_tokens of the child must not be more than max_tokens of the parent.';
      return isWhole(overlap_tokens, 0, child.max_tokens - 1)
        ? null
        : 'overlap_tokens must be a whole number from 0 to less than max_tokens of the child.';
    }
    default:
      return 'chunking_strategy must be none, fixed_size, semantic or hierarchical.';
  }
}

/** Throws `DocumentRefused` with the code `chunking_invalid`. */
export function checkChunking(chunking: Chunking): void {
  const problem = chunkingProblem(chunking);
  if (problem !== null) throw new DocumentRefused('chunking_invalid', problem);
}
