// Starts GraphiQL: gives it the schema, a fetcher that brings the key, and tabs to begin with.
(() => {
  const { schema, editorWorker, graphqlWorker, jsonWorker } = document.getElementById('start').dataset;
  const form = document.getElementById('key-form');
  const field = document.getElementById('key');
  const limit = document.getElementById('limit');
  // The session's storage ends with the tab, and no other tab sees it.
  const STORED = 'revgate:key';

  const TABS = [
    {
      query: `# The fastest growing AI startups with at least $10,000 in the last 30 days.
# Money is in US cents; growth30d is a percentage.
query Growing($filter: StartupFilter) {
  startups(filter: $filter, sort: GROWTH_DESC, limit: 5) {
    page {
      name
      slug
      country
      growth30d
      revenue { last30Days mrr }
    }
    meta { total hasMore }
  }
}
`,
      variables: `{
  "filter": { "category": "AI", "minRevenue": 1000000 }
}`,
    },
    {
      query: `# One startup by its slug, such as the first tab shows.
query Detail($slug: String!) {
  startup(slug: $slug) {
    name
    description
    website
    category
    revenue { last30Days mrr total }
    customers
    askingPrice
    multiple
    rank
    teamSize
    fundingStatus
  }
}
`,
      variables: '{ "slug": "titupi-nest" }',
    },
    {
      query: `# What all startups for sale come to: figures and counts from memory, no row is read.
query Market {
  startups(filter: { onSale: true }) {
    meta { total }
    stats {
      price { count min median max }
      mrr { sum median p90 }
    }
    facets {
      category { value count }
      fundingStatus { value count }
    }
  }
}
`,
    },
    {
      query: `# A walk through a whole list: put endCursor into "after" until hasNextPage is false.
query Walk($after: String) {
  startups(sort: REVENUE_DESC, first: 10, after: $after) {
    edges {
      cursor
      node { name rank revenue { total } }
    }
    pageInfo { hasNextPage endCursor }
  }
}
`,
      variables: '{ "after": null }',
    },
  ];

  globalThis.MonacoEnvironment = {
    globalAPI: false,
    getWorkerUrl: (_module, label) => ({ json: jsonWorker, graphql: graphqlWorker })[label] ?? editorWorker,
  };

  field.value = sessionStorage.getItem(STORED) ?? '';
  const keep = () => {
    field.value = field.value.trim();
    sessionStorage.setItem(STORED, field.value);
  };
  field.addEventListener('change', keep);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    keep();
  });

  function tellLimit({ status, headers }) {
    const wait = headers.get('retry-after');
    const [left, of, reset] = ['remaining', 'limit', 'reset'].map((name) =>
      headers.get(`x-ratelimit-${name}`),
    );
    const until = new Date(reset * 1000).toLocaleTimeString();
    limit.dataset.refused = String(status === 429);
    limit.value = status === 429 ? `Refused: again in ${wait} s` : `${left} of ${of} left until ${until}`;
  }

  async function run(params) {
    if (field.value === '') {
      field.focus();
      return { errors: [{ message: 'Enter an API key above. Nothing was sent.' }] };
    }
    // For a moment after a change of tabs, GraphiQL still tells the operation of the tab before.
    const { query, variables, operationName } = params;
    const told = query.includes(operationName) ? operationName : undefined;
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: {
        Accept: 'application/graphql-response+json, application/json;q=0.9',
        'Content-Type': 'application/json',
        Authorization: `Bearer ${field.value}`,
      },
      credentials: 'omit',
      body: JSON.stringify({ query, variables, operationName: told }),
    });
    tellLimit(response);
    return response.json();
  }

  /** What the editors begin with. Left to itself, GraphiQL would add an empty tab at every visit. */
  function currentTab() {
    try {
      const { tabs, activeTabIndex } = JSON.parse(localStorage.getItem('graphiql:tabState'));
      const { query, variables } = tabs[activeTabIndex];
      return { query: query ?? '', variables: variables ?? '' };
    } catch {
      return TABS[0];
    }
  }

  const start = async () => {
    // The schema needs no key and costs nothing; asking by introspection would.
    const introspection = await (await fetch(schema)).json();
    globalThis.YogaGraphiQL.renderYogaGraphiQL(document.getElementById('graphiql'), {
      title: 'revgate',
      logo: '',
      schema: introspection,
      fetcher: run,
      defaultTabs: TABS,
      ...currentTab(),
      // Queries stay out of the address, and the one field for keys is ours.
      onEditQuery: () => {},
      isHeadersEditorEnabled: false,
      shouldPersistHeaders: false,
    });
  };
  start().catch((error) => {
    document.getElementById('graphiql').textContent = `GraphiQL could not start: ${error.message}`;
  });
})();
