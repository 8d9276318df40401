import type { GlobalModel, PricedModel } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { Autocomplete, Dialog, ListBox, ListBoxItem, Popover, type Selection, useFilter } from 'react-aria-components';
import { formatNumber, formatPrice } from '../../../../messages/format.ts';
import { useMessages } from '../../../../messages/index.ts';
import { useModelMenuMessages } from '../../../../messages/model-menu-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button } from '../../../../ui/button.tsx';
import { itemLook } from '../../../../ui/fields/field-parts.tsx';
import { SearchField } from '../../../../ui/fields/search-field.tsx';
import { Switch } from '../../../../ui/fields/toggles.tsx';
import { ScrollArea } from '../../../../ui/scroll-area.tsx';
import { LEAST_COMPARED, MOST_COMPARED } from '../models.ts';
import { type ModelOption, modelOptions } from './model-options.ts';

interface Props {
  readonly all: readonly GlobalModel[];
  readonly usable: readonly GlobalModel[];
  readonly chosen: string;
  /** The title of the chat's bot. */
  readonly botTitle: string | null;
  readonly trigger: RefObject<HTMLButtonElement | null>;
  readonly onChoose: (id: string) => void;
  /** The models that are compared; empty if only one is asked. */
  readonly compared: readonly GlobalModel[];
  readonly onCompare: (ids: readonly string[]) => void;
  readonly onClose: () => void;
}

/** The opened menu of models. Prices are read when it is opened. */
export function ModelMenu({ all, usable, chosen, botTitle, trigger, onChoose, compared, onCompare, onClose }: Props) {
  const { chat } = useMessages();
  const texts = useModelMenuMessages();
  const { contains } = useFilter({ sensitivity: 'base' });
  const prices = useQuery({
    queryKey: ['callable-models'],
    queryFn: ({ signal }) => parlance.api.get('/user/me/models', { signal }),
    staleTime: 60_000,
  });
  const options = modelOptions(all, usable);
  const [isComparing, setComparing] = useState(compared.length > 0);
  const [picked, setPicked] = useState(() => (compared.length > 0 ? compared.map(({ id }) => id) : [chosen]));
  const compare = (isOn: boolean) => {
    setComparing(isOn);
    onCompare(isOn ? picked : []);
  };
  const choose = (keys: Selection) => {
    const ids = keys === 'all' ? [] : [...keys].map(String);
    if (isComparing) {
      setPicked(ids);
      return onCompare(ids);
    }
    const [id] = ids;
    if (id !== undefined) onChoose(id);
    onClose();
  };
  const isDisabled = ({ model: { id }, obstacle }: ModelOption) =>
    obstacle !== null || (isComparing && picked.length >= MOST_COMPARED && !picked.includes(id));
  return (
    <Popover
      triggerRef={trigger}
      isOpen
      placement="top start"
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      className="flex w-96 max-w-[calc(100vw-1.5rem)] flex-col overflow-hidden rounded-md border border-line bg-raised shadow-raised"
    >
      <Dialog aria-label={chat.model} className="flex min-h-0 flex-col gap-1 p-1 outline-none">
        <Autocomplete filter={contains}>
          <SearchField label={texts.search} autoFocus className="p-1" />
          <ScrollArea label={texts.models} className="max-h-80">
            <ListBox
              aria-label={texts.models}
              selectionMode={isComparing ? 'multiple' : 'single'}
              selectedKeys={isComparing ? picked : [chosen]}
              disallowEmptySelection={isComparing}
              escapeKeyBehavior="none"
              onSelectionChange={choose}
              disabledKeys={options.filter(isDisabled).map(({ model: { id } }) => id)}
              renderEmptyState={() => <p className="p-2 text-sm text-muted">{texts.noMatch}</p>}
              className="outline-none"
            >
              {options.map((option) => (
                <ModelItem
                  key={option.model.id}
                  option={option}
                  price={prices.data?.models.find(({ id }) => id === option.model.id)?.price}
                  botTitle={botTitle}
                />
              ))}
            </ListBox>
          </ScrollArea>
        </Autocomplete>
        {usable.length >= LEAST_COMPARED && (
          <div className="border-t border-line px-2 pt-1">
            <div className="flex min-h-9 items-center justify-between gap-3">
              <Switch isSelected={isComparing} onChange={compare}>
                {texts.compare}
              </Switch>
              {isComparing && (
                <Button size="small" onPress={onClose}>
                  {texts.done}
                </Button>
              )}
            </div>
            <p role="status" className="text-xs text-muted">
              {isComparing && texts.compared(picked.length)}
            </p>
          </div>
        )}
      </Dialog>
    </Popover>
  );
}

interface ItemProps {
  readonly option: ModelOption;
  /** Null if the model is free, undefined if the price is unknown. */
  readonly price: PricedModel['price'] | undefined;
  readonly botTitle: string | null;
}

function ModelItem({ option: { model, obstacle }, price, botTitle }: ItemProps) {
  const texts = useModelMenuMessages();
  const { id, name, capabilities, context_window } = model;
  const abilities = capabilities.map((word) => texts.abilities[word] ?? word.replaceAll('_', ' '));
  const priceText = price && texts.price(formatPrice(price.input), formatPrice(price.output));
  return (
    <ListBoxItem id={id} textValue={name} className={`${itemLook} py-1.5 data-[disabled]:opacity-100!`}>
      {({ isSelected }) => (
        <>
          <span className="flex min-w-0 grow flex-col">
            <span className={`font-medium ${obstacle === null ? '' : 'text-muted'}`}>{name}</span>
            <span className="flex flex-col text-xs text-muted">
              {obstacle === 'no_provider' && <span className="text-warn">{texts.noProvider}</span>}
              {obstacle === 'not_of_bot' && <span className="text-warn">{texts.notOfBot(botTitle ?? '')}</span>}
              <span>{[...abilities, texts.context(formatNumber(context_window))].join(' · ')}</span>
              {price !== undefined && <span>{priceText ?? texts.free}</span>}
            </span>
          </span>
          {isSelected && <Check aria-hidden className="size-4 shrink-0 text-accent" />}
        </>
      )}
    </ListBoxItem>
  );
}
