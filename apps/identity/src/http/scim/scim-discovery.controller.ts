import { Controller, Get, Param } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { Config } from '@parlance/config';
import { Refuses, Summary } from '@parlance/openapi';
import { listAnswer } from './answers.ts';
import { resourceTypes, schemas, serviceProviderConfig } from './resources/discovery.ts';
import { listOf } from './requests/list-query.ts';
import { Scim, ScimAnswers } from './scim-route.ts';

const anything = { type: 'object' } as const;

/** Describes this SCIM server to clients. */
@Controller('scim/v2')
@Scim()
export class ScimDiscoveryController {
  private readonly base: string;

  constructor(config: Config) {
    this.base = `${config.publicBaseUrl}/scim/v2`;
  }

  @Get('ServiceProviderConfig')
  @Summary('Get the supported features of SCIM.')
  @ScimAnswers(200, anything)
  config(): object {
    return serviceProviderConfig(this.base);
  }

  @Get('ResourceTypes')
  @Summary('List the SCIM resource types.')
  @ScimAnswers(200, listAnswer(anything))
  resourceTypes(): object {
    const all = resourceTypes(this.base);
    return listOf(all, all.length, 0);
  }

  @Get('ResourceTypes/:id')
  @Summary('Get a SCIM resource type.')
  @ScimAnswers(200, anything)
  @Refuses('resource_type_not_found', 404)
  resourceType(@Param('id') id: string): object {
    return one(resourceTypes(this.base), id, 'resource_type_not_found');
  }

  @Get('Schemas')
  @Summary('List the SCIM schemas.')
  @ScimAnswers(200, listAnswer(anything))
  schemas(): object {
    const all = schemas(this.base);
    return listOf(all, all.length, 0);
  }

  @Get('Schemas/:id')
  @Summary('Get a SCIM schema: the attributes of one resource type.')
  @ScimAnswers(200, anything)
  @Refuses('schema_not_found', 404)
  schema(@Param('id') id: string): object {
    return one(schemas(this.base), id, 'schema_not_found');
  }
}

function one(all: readonly { readonly id: string }[], id: string, code: string): object {
  const found = all.find((each) => each.id === id);
  if (!found) throw refuse('missing', code, 'There is no resource with this id.');
  return found;
}
