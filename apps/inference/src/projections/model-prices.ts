import { idInStream } from '@parlance/event-store';
import { projection, table, update } from '@parlance/read-models';
import { type ModelPrices, modelPrices as rules, type ModelPricesEvent } from '../domain/model-prices.ts';

/** The prices that were set for a model, by its ID. At most `MOST_PRICES` in a row. */
export const modelPriceRows = table<ModelPrices>('model_prices');

export const modelPrices = projection<ModelPricesEvent>({
  name: 'model-prices',
  version: 1,
  tables: [modelPriceRows],
  on: {
    ModelPriceSet: (event, { stream }) => [
      update(modelPriceRows, idInStream(stream), (row) => rules.evolve(row ?? rules.initialState, event)),
    ],
  },
});
