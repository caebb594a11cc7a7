UPDATE sqlagent.{{table}}
SET {{sql}} = $2, {{tables}} = array_replace({{tables}}, $3, $4),
	checked_at = NULL
WHERE id = $1
