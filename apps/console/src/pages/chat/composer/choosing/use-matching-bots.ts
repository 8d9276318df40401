import { useQuery } from '@tanstack/react-query';
import { usePausedText } from '../../../../ui/fields/use-paused-text.ts';
import { joined, matching, type ShelfBot } from '../../../bots/shelf/shelf.ts';
import { botSearchQuery, shelfQuery } from '../../../bots/shelf/shelf-queries.ts';

/** The most bots that are shown at a time. */
const MOST_SHOWN = 20;

export interface MatchingBots {
  readonly bots: readonly ShelfBot[];
  /** Whether more bots may be found. */
  readonly isSearching: boolean;
}

/** The user's bots that match immediately, then others that the server finds when the user pauses typing. */
export function useMatchingBots(text: string): MatchingBots {
  const paused = usePausedText(text);
  const shelf = useQuery(shelfQuery);
  const isSearchable = /\w|\p{L}/u.test(text);
  const search = useQuery(botSearchQuery(isSearchable ? paused : ''));
  const found = paused === text ? search.data : undefined;
  const bots = joined<ShelfBot>(matching(shelf.data?.bots ?? [], text), isSearchable ? found : undefined).slice(0, MOST_SHOWN);
  const isAsking = isSearchable ? paused !== text || search.isFetching : false;
  return { bots, isSearching: isAsking || shelf.isPending };
}
