import { useSyncExternalStore } from 'react';
import { useMe } from '../../../session/use-me.ts';
import { type KeptChat, KeptChats } from './kept-chats.ts';

const stores = new Map<string, KeptChats>();

function storeOf(userId: string): KeptChats {
  const store = stores.get(userId) ?? new KeptChats(localStorage, `parlance.kept-chats.${userId}`);
  stores.set(userId, store);
  return store;
}

export const useKeptStore = (): KeptChats => storeOf(useMe().user_id);

export function useKeptChats(): readonly KeptChat[] {
  const store = useKeptStore();
  return useSyncExternalStore(store.subscribe, store.all);
}
