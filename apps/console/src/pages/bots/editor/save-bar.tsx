import { useMessages } from '../../../messages/index.ts';
import { Button } from '../../../ui/button.tsx';

interface SaveBarProps {
  readonly isDirty: boolean;
  readonly isPending: boolean;
  readonly onDiscard: () => void;
}

/** The bar with the save button. It stays at the lower edge of the window while the form scrolls. */
export function SaveBar({ isDirty, isPending, onDiscard }: SaveBarProps) {
  const { editor } = useMessages().bots;
  return (
    <div className="sticky bottom-0 z-10 flex flex-wrap items-center gap-2 border-t border-line bg-bg py-3">
      <p className="grow text-xs text-muted" role="status">
        {isDirty ? editor.unsaved : editor.allSaved}
      </p>
      {isDirty && <Button onPress={onDiscard}>{editor.discard}</Button>}
      <Button type="submit" look="primary" isPending={isPending} isDisabled={!isDirty}>
        {editor.save}
      </Button>
    </div>
  );
}
