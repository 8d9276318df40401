import { useSyncExternalStore } from 'react';
import { useMe } from '../../../session/use-me.ts';
import { type KeptChat, KeptChats } from './kept-chats.ts';

const stores = new Map<string, KeptChats>();

function storeOf(userId: string): KeptChats {
  const known = stores.get(userId);
  if (known) return known;
  const key = `parlance.kept-chats.${userId}`;
  const store = new KeptChats(localStorage, key);
  stores.set(userId, store);
  // The event reports only changes by other tabs.
  addEventListener('storage', store.changedElsewhere);
  return store;
}

export const useKeptStore = (): KeptChats => storeOf(useMe().user_id);

export function useKeptChats(): readonly KeptChat[] {
  const store = useKeptStore();
  return useSyncExternalStore(store.subscribe, store.all);
}
