import { useMemo } from 'react';
import { useMe } from '../../../session/use-me.ts';
import { DraftStore } from './drafts.ts';

/** The drafts of the signed-in user: another user of this browser does not see them. */
export function useDrafts(): DraftStore {
  const { user_id } = useMe();
  return useMemo(() => new DraftStore(localStorage, `parlance.drafts.${user_id}`), [user_id]);
}
