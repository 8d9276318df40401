import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Internal } from '@parlance/http';
import { ChargedByImport, type ImportTotals } from '../projections/imported-spend.ts';

/** For `parlance migrate`, which compares what it has read with what was charged. */
@Controller('internal/imports')
@Internal()
export class InternalImportsController {
  constructor(private readonly queries: QueryBus) {}

  @Get(':name')
  totals(@Param('name') name: string): Promise<ImportTotals> {
    return this.queries.execute(new ChargedByImport(name));
  }
}
