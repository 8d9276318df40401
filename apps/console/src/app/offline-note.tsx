import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useMessages } from '../messages/index.ts';

function subscribe(listener: () => void) {
  globalThis.addEventListener('online', listener);
  globalThis.addEventListener('offline', listener);
  return () => {
    globalThis.removeEventListener('online', listener);
    globalThis.removeEventListener('offline', listener);
  };
}

export function OfflineNote() {
  const { common } = useMessages();
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status">
      {!isOnline && (
        <p className="flex items-center justify-center gap-2 border-b border-warn bg-surface px-4 py-2 text-xs text-warn">
          <WifiOff aria-hidden className="size-4" />
          {common.offline}
        </p>
      )}
    </div>
  );
}
