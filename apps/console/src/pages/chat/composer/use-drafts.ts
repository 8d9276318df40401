import { useMemo } from 'react';
import { useMe } from '../../../session/use-me.ts';
import { DraftStore } from './drafts.ts';

/** Of the signed-in user, so that another user of this browser does not see them. */
export function useDrafts(): DraftStore {
  const { user_id } = useMe();
  return useMemo(() => new DraftStore(localStorage, `parlance.drafts.${user_id}`), [user_id]);
}
