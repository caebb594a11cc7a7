SELECT id, description IS NOT DISTINCT FROM $3
	AND calculation IS NOT DISTINCT FROM $4
	AND solution IS NOT DISTINCT FROM $5 AND tables IS NOT DISTINCT FROM $6
FROM sqlagent.rules
WHERE kind = $1 AND name = $2
