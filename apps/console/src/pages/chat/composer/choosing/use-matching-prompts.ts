import type { PromptSummary } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { usePausedText } from '../../../../ui/fields/use-paused-text.ts';
import { promptsQuery } from '../../../prompts/prompt-queries.ts';
import { matchingPrompts } from './matching-prompts.ts';

/** The most prompts that are shown at a time. */
const MOST_SHOWN = 20;
const STALE_MILLIS = 60_000;

interface MatchingPrompts {
  readonly prompts: readonly PromptSummary[];
  /** Whether more prompts may be found. */
  readonly isSearching: boolean;
  /** Whether the user may use any prompt. */
  readonly hasAny: boolean;
}

/** The first page of prompts is matched immediately. The server searches the others when the user pauses typing. */
export function useMatchingPrompts(text: string): MatchingPrompts {
  const paused = usePausedText(text);
  const first = useQuery({ ...promptsQuery({}), staleTime: STALE_MILLIS });
  const isSearchable = text !== '' && (first.data?.next_token ?? null) !== null;
  const search = useQuery({ ...promptsQuery({ q: paused }), staleTime: STALE_MILLIS, enabled: isSearchable && paused === text });
  const known = matchingPrompts(first.data?.prompts ?? [], text);
  const found = isSearchable && paused === text ? (search.data?.prompts ?? []) : [];
  const others = found.filter(({ id }) => known.every((each) => each.id !== id));
  return {
    prompts: [...known, ...others].slice(0, MOST_SHOWN),
    isSearching: first.isPending || (isSearchable && (paused !== text || search.isFetching)),
    hasAny: (first.data?.prompts.length ?? 0) > 0,
  };
}
