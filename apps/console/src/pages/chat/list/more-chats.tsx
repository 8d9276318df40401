import { useMessages } from '../../../messages/index.ts';
import { Button } from '../../../ui/button.tsx';

interface Query {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
}

/** A button for the next page of a list of chats, if there is one. */
export function MoreChats({ query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: { readonly query: Query }) {
  const { common } = useMessages();
  if (!hasNextPage) return null;
  return (
    <Button size="small" look="quiet" className="w-full" isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
      {common.more}
    </Button>
  );
}
