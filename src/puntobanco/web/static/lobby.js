// All tables, looked at every two seconds.
const list = document.getElementById("tables");

function item(table) {
  const li = document.createElement("li");
  const link = document.createElement("a");
  link.href = `/tables/${table.table.split(":")[1]}`;
  link.textContent = table.title;
  const state = document.createElement("p");
  state.textContent = `Round ${table.round}: ${table.phase}; dealt by the ${table.dealt_by}`;
  const results = document.createElement("ol");
  results.className = "results";
  for (const result of table.results.slice(-12)) {
    const mark = document.createElement("li");
    mark.className = result[0];
    mark.textContent = result[0];
    results.append(mark);
  }
  li.append(link, state, results);
  return li;
}

async function look() {
  try {
    const tables = await (await fetch("/api/tables")).json();
    list.replaceChildren(...tables.map(item));
    document.getElementById("demo").hidden = !tables.some((table) => table.demo);
  } finally {
    setTimeout(look, 2000);
  }
}

look();
