import type { GraphQLField, GraphQLInputField, GraphQLSchema } from 'graphql';
import { schemaWith } from '../../api/graphql/schema.ts';
import { formatted } from '../../api/rest/endpoint-documents.ts';
import { REST_BASE } from '../../api/rest/find-endpoint.ts';
import { ownSchema, type Schema } from '../../api/rest/openapi-schemas.ts';
import {
  describeOwn,
  isSortedBy,
  type OwnField,
  type OwnKind,
  ownFilterOf,
  ownPath,
  ownSortsOf,
} from '../../startups/model/own-fields.ts';
import { ownParametersOf } from '../../startups/model/requests/own-parameters.ts';
import { constantName } from '../../startups/model/vocabulary.ts';
import type { Section } from './contents.ts';
import { blocks, code, codeList, entryList, jsonFacts, table, typeLink } from './entries.ts';

/** The page about the fields that this service has declared, at least one. @param origin of the gateway. */
export function serviceFields(own: readonly OwnField[], origin: string): Section {
  const schema = schemaWith(own);
  const filtered = own.filter((field) => ownFilterOf(field) !== undefined);
  return {
    slug: 'service-fields',
    title: 'Fields of this service',
    description: 'The fields that this service adds to every startup, and how to filter and sort by them.',
    text: blocks(
      'This service adds these fields to the [startup record](#startup-record). A field is `null` where no value is known.',
      describeFields(own, schema),
      '## Read them',
      `In GraphQL, select ${code('own')} of a startup. In REST, the record of [one startup](#startup) has ${code('own')}; lists have it with ${code('include=own')}.`,
      exampleOf(own, origin),
      filtered.length > 0 && '## Filter and sort',
      filtered.length > 0 &&
        'A filter excludes startups whose value is unknown. In an order, they come last. These parameters and arguments combine with [all others](#list-parameters).',
      filtered.length > 0 && describeFilters(filtered, schema),
    ),
  };
}

/** What the number of a field counts. */
const units: Readonly<Partial<Record<OwnKind, string>>> = { cents: 'US cents', percent: 'percent' };

/** The most values of a choice that are listed. */
const MOST_LISTED = 30;

function describeFields(own: readonly OwnField[], schema: GraphQLSchema): string {
  const properties = ownSchema(own).properties as Readonly<Record<string, Schema>>;
  return entryList(
    own.map((field) => {
      const { name, kind, choices } = field;
      const listed = choices.length > 0 && choices.length <= MOST_LISTED;
      return {
        id: ownPath(name),
        name: ownPath(name),
        facts: [
          ...jsonFacts(properties[name] ?? {}),
          units[kind] ?? false,
          `GraphQL ${typeLink(memberOf(schema, 'StartupOwn', name))}`,
        ],
        description: `${describeOwn(field)}${listed ? ` Values: ${codeList(choices)}.` : ''}`,
      };
    }),
  );
}

function describeFilters(filtered: readonly OwnField[], schema: GraphQLSchema): string {
  return table([
    ['Field', 'Parameters of REST', 'GraphQL, in filter.own', 'Orders of REST', 'Orders of GraphQL'],
    ...filtered.map((field) => {
      const { name } = field;
      const sorts = isSortedBy(field) ? ownSortsOf(name) : [];
      return [
        code(ownPath(name)),
        codeList(ownParametersOf(field)),
        typeLink(memberOf(schema, 'StartupOwnFilter', name), name),
        codeList(sorts),
        codeList(sorts.map(constantName)),
      ];
    }),
  ]);
}

/** The same request to both: a list of those with a value of the first field that lists can be filtered by. */
function exampleOf(own: readonly OwnField[], origin: string): string {
  const field = own.find(isSortedBy) ?? own.find((one) => ownFilterOf(one) !== undefined) ?? own[0];
  if (field === undefined) {
    return '';
  }
  const { name } = field;
  const [sort] = isSortedBy(field) ? ownSortsOf(name) : [];
  const [parameter, value = '', condition] = exampleFilterOf(field);
  const query = [
    'include=own',
    parameter !== undefined && `${parameter}=${encodeURIComponent(value).replaceAll("'", '%27')}`,
    sort !== undefined && `sort=${sort}`,
  ].filter((one) => one !== false);
  const args = [
    condition !== undefined && `filter: { own: { ${name}: ${condition} } }`,
    sort !== undefined && `sort: ${constantName(sort)}`,
  ].filter((one) => one !== false);
  const list = args.length === 0 ? 'startups' : `startups(${args.join(', ')})`;
  const address = `${origin}${REST_BASE}/startups?${query.join('&')}`;
  return blocks(
    `\`\`\`sh\ncurl -s -H "Authorization: Bearer $REVGATE_KEY" '${address}'\n\`\`\``,
    `\`\`\`graphql\n${formatted(`{ ${list} { page { name own { ${name} } } } }`).trim()}\n\`\`\``,
  );
}

/** A parameter with a value, and the same condition in GraphQL; nothing of a field without filters. */
function exampleFilterOf(
  field: OwnField,
): readonly [parameter: string, value: string, condition: string] | readonly [] {
  const [parameter = ''] = ownParametersOf(field);
  switch (ownFilterOf(field)) {
    case 'range':
      return [parameter, '10', '{ min: 10 }'];
    case 'dates':
      return [parameter, '2026-01-01', '{ from: "2026-01-01" }'];
    case 'values': {
      // In REST, commas separate values.
      const first = field.choices.find((one) => !one.includes(','));
      return first === undefined ? [] : [parameter, first, `{ in: [${JSON.stringify(first)}] }`];
    }
    case 'flag':
      return [parameter, 'true', 'true'];
    case undefined:
      return [];
  }
}

function memberOf(
  schema: GraphQLSchema,
  type: string,
  name: string,
): GraphQLField<unknown, unknown> | GraphQLInputField {
  const found = schema.getType(type);
  const fields = found !== undefined && 'getFields' in found ? found.getFields() : {};
  return fields[name] as GraphQLField<unknown, unknown> | GraphQLInputField;
}
